"""The effect language at work (specification, 2.7): whom an op meets, what can be picked, what each op does."""
