"""Stores: the contracts for graph and vectors, and the engines behind them."""
