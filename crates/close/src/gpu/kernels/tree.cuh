// The loop that `close_tall.cu` and `close_wide.cu` share: one search over two kinds of nodes.
//
// A node has three sets of attributes. The two kinds differ in how the lanes of a warp store such a set, in
// how a node is closed, and in how a candidate is tested. A *kind* is a struct with these members:
//
//   Set           a set of attributes: none, count, put, take (removes the first), part (one of PARTS),
//                 record
//   Node          a TreeNode with such sets
//   Failed        the candidates of a node that failed, each with its witness; initially nothing_failed
//   NODE_WORDS    the number of words of a node in the ring; the extent comes first
//   FRAME_WORDS   the number of words of a frame on a stack: a node, whose candidates are only the
//                 remaining children, and the failed candidates
//   MANY, PARTS   a node with more than MANY candidates is split into PARTS while most warps are idle
//   store, load, store_left, store_failed, load_failed
//                 write a node, its children or the failed candidates to memory, and read them back
//   close         computes the intent and the candidates of a node
//   test          returns the candidates that lead to new concepts, and records those that failed
//   inherit       marks attributes as dead in the subtree of a child: those with a witness below the child
#pragma once

template <u32 E, class Set> struct TreeNode {
    Objects<E> extent;
    Set intent, dead, candidates;
    u32 from; // attributes below are processed
    u32 part; // whether it was closed before and has only some of its candidates
    u64 keys;
};

// Returns the column of an attribute.
template <u32 E> __device__ __forceinline__ const u32* column_of(const Tables& tables, u32 attribute) {
    return tables.columns + (size_t)attribute * (E * LANES);
}

// Replaces a node by its child with one more attribute.
template <class Kind, u32 E, class Set>
__device__ __forceinline__ void descend(const SearchWork& search, const Tables& tables,
                                        TreeNode<E, Set>& node, const typename Kind::Failed& failed,
                                        u32 child) {
    node.extent = node.extent.among(column_of<E>(tables, child));
    Kind::inherit(node, failed, child);
    node.intent.put(child);
    node.keys += __ldg(search.keys + child);
    node.from = child + 1u;
    node.part = 0u;
}

// Puts a node into the ring, in the slot of a ticket.
template <class Kind, u32 E, class Set>
__device__ __forceinline__ void put_into_ring(const SearchWork& search, u32 ticket,
                                              const TreeNode<E, Set>& node) {
    wait_for_place(search, ticket);
    Kind::store(search.ring + (size_t)place_of(search, ticket) * Kind::NODE_WORDS, node);
    hand_out(search, ticket);
}

// Gives up to `gifts` children of a node to idle warps.
template <class Kind, u32 E, class Set>
__device__ __forceinline__ void give(const SearchWork& search, const Tables& tables,
                                     const TreeNode<E, Set>& node, const typename Kind::Failed& failed,
                                     Set& left, u32 gifts) {
    gifts = min(min(gifts, left.count()), GIFTS);
    u32 first = reserve(search, gifts);
    for (u32 gift = 0u; gift < gifts; gift++) {
        TreeNode<E, Set> given = node;
        descend<Kind>(search, tables, given, failed, left.take());
        put_into_ring<Kind>(search, first + gift, given);
    }
}

// Gives children of the oldest frame away.
template <class Kind>
__device__ __forceinline__ void give_oldest(const SearchWork& search, const Tables& tables, Walk& walk,
                                            u32* stack) {
    u32* frame = stack + (size_t)walk.base * Kind::FRAME_WORDS;
    typename Kind::Node node;
    Kind::load(frame, node);
    typename Kind::Set left = node.candidates;
    give<Kind>(search, tables, node, Kind::load_failed(frame), left, walk.waiting);
    if (left.none()) {
        walk.base++;
    } else {
        Kind::store_left(frame, left);
    }
}

// Splits a closed node into parts, keeps the first and gives the others away.
template <class Kind, u32 E, class Set>
__device__ __forceinline__ void split(const SearchWork& search, TreeNode<E, Set>& node) {
    u32 first = reserve(search, Kind::PARTS - 1u);
    TreeNode<E, Set> given = node;
    given.part = 1u;
    for (u32 part = 1u; part < Kind::PARTS; part++) {
        given.candidates = node.candidates.part(part);
        put_into_ring<Kind>(search, first + part - 1u, given);
    }
    node.candidates = node.candidates.part(0u);
}

template <u32 E, class Set>
__device__ __forceinline__ void list(const SearchWork& search, Walk& walk, const TreeNode<E, Set>& node,
                                     u32 size) {
    walk.concepts++;
    walk.digest += mixed(node.keys);
    if (search.chunks != 0u) {
        u32* record = search.records + (size_t)(walk.chunk * CHUNK + walk.used) * search.record_words;
        node.intent.record(record, search.record_words, size);
        walk.used++;
    }
}

// Returns the next node of a warp: the first remaining child of its newest frame, or a node from the ring.
// Returns false at the end of the slice or of the search.
template <class Kind>
__device__ __forceinline__ bool next(const SearchWork& search, const Tables& tables, Walk& walk, u32* stack,
                                     typename Kind::Node& node) {
    if (walk.state != WORKING || walk.depth == walk.base) {
        walk.depth = walk.base = 0u;
        if (!receive(search, walk)) {
            return false;
        }
        Kind::load(search.ring + (size_t)place_of(search, walk.ticket) * Kind::NODE_WORDS, node);
        free_place(search, walk.ticket);
        return true;
    }
    make_room(search, walk);
    if (walk.stopping) {
        return false;
    }
    u32* frame = stack + (size_t)(walk.depth - 1u) * Kind::FRAME_WORDS;
    Kind::load(frame, node);
    typename Kind::Failed failed = Kind::load_failed(frame);
    typename Kind::Set left = node.candidates;
    u32 child = left.take();
    if (left.none()) {
        walk.depth--;
    } else {
        Kind::store_left(frame, left);
    }
    descend<Kind>(search, tables, node, failed, child);
    return true;
}

template <class Kind> __device__ __forceinline__ void search_tree(const SearchWork& search) {
    Tables where = tables(search);
    Walk walk = begin(search);
    u32* stack = search.stacks + (size_t)warp_number() * search.depth * Kind::FRAME_WORDS;
    typename Kind::Node node;
    bool have = false;
    for (;;) {
        if (!have && !next<Kind>(search, where, walk, stack, node)) {
            break;
        }
        have = false;
        count_node(search, walk);
        look_around(search, walk);
        if (!node.part) {
            u32 size = __reduce_add_sync(ALL, node.extent.ones());
            Kind::close(search, where, node, size);
            list(search, walk, node, size);
            if (walk.waiting > search.crowd && node.candidates.count() > Kind::MANY) {
                split<Kind>(search, node);
            }
        }
        typename Kind::Failed failed = Kind::nothing_failed(search);
        typename Kind::Set children = Kind::test(where, node, failed);
        if (!children.none()) {
            make_room(search, walk);
            u32 child = 0u;
            typename Kind::Set left = children;
            have = !walk.stopping;
            if (have) {
                child = left.take();
            }
            if (walk.waiting != 0u && !left.none()) {
                give<Kind>(search, where, node, failed, left, walk.waiting);
            }
            if (!left.none()) {
                node.candidates = left;
                u32* frame = stack + (size_t)walk.depth * Kind::FRAME_WORDS;
                Kind::store(frame, node);
                Kind::store_failed(frame, failed);
                walk.depth++;
                __syncwarp();
            }
            if (have) {
                descend<Kind>(search, where, node, failed, child);
            }
        } else if (walk.waiting != 0u && walk.depth > walk.base) {
            give_oldest<Kind>(search, where, walk, stack);
        }
    }
    end(search, walk);
}
