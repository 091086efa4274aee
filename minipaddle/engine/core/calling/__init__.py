"""Calling: an operator as a function (public), the short way of a call (quick), and what is compiled for both."""
