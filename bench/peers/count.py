"""Count the concepts of a .dat file with one of the Python peers.

    python count.py PEER FILE MIN_SUPPORT

Started by concepts_vs_peers.py, one process per run. Prints the count and the CPU seconds of the call alone:
without starting Python, imports, reading the file and converting it to the form of the peer.
"""

import sys
import time


def rows_of(path):
    with open(path) as file:
        return [[int(item) for item in line.split()] for line in file]


def table_of(rows):
    """Return rows of booleans; attributes are the numbers that occur in some row."""
    place = {item: index for index, item in enumerate(sorted(set().union(*rows)))}
    table = [[False] * len(place) for _ in rows]
    for cells, row in zip(table, rows):
        for item in row:
            cells[place[item]] = True
    return table


def fim(algorithm):
    def peer(rows, support):
        import fim

        return lambda: len(getattr(fim, algorithm)(rows, target="c", supp=-max(1, support), report=""))

    return peer


def caspailleur(rows, support):
    from bitarray import frozenbitarray
    from caspailleur.mine_equivalence_classes import list_intents_via_LCM

    itemsets = [frozenbitarray(row) for row in table_of(rows)]
    return lambda: len(list_intents_via_LCM(itemsets, min_supp=support))


def fcapy(rows, support):
    from fcapy.algorithms.concept_construction import close_by_one
    from fcapy.context import FormalContext

    context = FormalContext(data=table_of(rows))
    return lambda: sum(1 for _ in close_by_one(context))


def concepts(rows, support):
    """The package lists concepts only with their lattice."""
    from concepts import Context

    table = table_of(rows)
    context = Context([f"o{i}" for i in range(len(table))], [f"a{j}" for j in range(len(table[0]))], table)
    return lambda: len(context.lattice)


def rustyfim(rows, support):
    import rustyfim

    least, attributes = max(1, support) / len(rows), 1 + max(map(max, filter(None, rows)))
    rows = [sorted(set(row)) for row in rows]
    return lambda: len(rustyfim.dci(min_support=least, transactions=rows, n_features=attributes))


PEERS = {"pyfim-eclat": fim("eclat"), "pyfim-fpgrowth": fim("fpgrowth"), "caspailleur": caspailleur,
         "fcapy": fcapy, "concepts": concepts,
         "rustyfim": rustyfim}


def main():
    name, path, support = sys.argv[1:]
    count = PEERS[name](rows_of(path), int(support))
    # Not process_time: with a limit of CPU time, Linux updates that clock every 4 ms only.
    start = time.thread_time()
    found = count()
    print(found, time.thread_time() - start)


if __name__ == "__main__":
    main()
