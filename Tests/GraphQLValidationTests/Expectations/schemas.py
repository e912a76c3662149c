def write_cases(described, lines, write):
    pass
