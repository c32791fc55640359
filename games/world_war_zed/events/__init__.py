"""What the ops of Random Events do (specification, 2.3)."""
