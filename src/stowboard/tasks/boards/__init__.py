"""Boards, their columns, and the order of tasks in them."""
