"""Systematic tables: every member of one list with every member of another. The modules beside this folder have the single cases."""
