"""Stages: the steps that systems are composed of, each with the numbers of its paper."""
