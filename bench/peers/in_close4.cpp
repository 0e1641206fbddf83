// A main program for In-Close4, which is interactive as published: it reads a .dat file and prints the number
// of concepts, without storing them in a file. `fca.py` compiles it together with In-Close4.cpp, whose own
// reader it replaces.

#include <stdio.h>
#include <stdlib.h>
#include <vector>

// Returns the rows of the file. Attributes are renumbered without gaps.
static std::vector<std::vector<int>> read_rows(const char *path, int &attributes) {
    std::vector<std::vector<int>> rows(1);
    std::vector<int> places;
    FILE *file = fopen(path, "r");
    if (!file) exit(2);
    long item = -1;
    attributes = 0;
    for (int letter = getc(file);; letter = getc(file)) {
        if (letter >= '0' && letter <= '9') {
            item = (item < 0 ? 0 : item * 10) + (letter - '0');
            continue;
        }
        if (item >= 0) {
            if ((size_t)item >= places.size()) places.resize(item + 1, -1);
            if (places[item] < 0) places[item] = attributes++;
            rows.back().push_back(places[item]);
            item = -1;
        }
        if (letter == '\n') rows.emplace_back();
        if (letter == EOF) break;
    }
    if (rows.back().empty()) rows.pop_back();
    fclose(file);
    return rows;
}

void datFileInput() {
    std::vector<std::vector<int>> rows = read_rows(fname.c_str(), n);
    m = rows.size();
    if (m > MAX_ROWS || n > MAX_COLS || !m || !n) exit(3);
    mArray = (m - 1) / 64 + 1;
    nArray = (n - 1) / 64 + 1;
    contextTemp = DYN_ALIGNED_VECTOR_TYPE_PTR_ARR(n);
    for (int j = 0; j < n; j++) {
        contextTemp[j] = DYN_ALIGNED_VECTOR_TYPE_ARR(mArray);
        for (int i = 0; i < mArray; i++) contextTemp[j][i] = 0;
    }
    context = DYN_ALIGNED_VECTOR_TYPE_PTR_ARR(m);
    for (int i = 0; i < m; i++) {
        context[i] = DYN_ALIGNED_VECTOR_TYPE_ARR(nArray);
        for (int j = 0; j < nArray; j++) context[i][j] = 0;
        for (int j : rows[i]) {
            contextTemp[j][i >> 6] |= VECTOR_1 << (i % 64);
            colSup[j]++;
        }
    }
}

int main(int, char **arguments) {
    run_search(arguments[1], 0, atoi(arguments[2]));
}
