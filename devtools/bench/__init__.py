"""Figures of speed, printed as ratios in one run; never tests with a clock."""
