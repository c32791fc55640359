def check_agenda(game): pass
