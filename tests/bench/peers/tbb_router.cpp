// SPDX-License-Identifier: MIT
// The peer a user would write today with oneTBB: the example router (reader thread, 1600-packet chunks,
// prioritize+sort, NAT, route, output; N-Queens work after each). Two data models: "str" (a plain one:
// strings and concurrent_hash_map) and "int" (a tuned one: hand parser, integer addresses). usage: tbb_router TRACE str|int serial|tbb THREADS
// NQUEENS
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_queue.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <thread>
#include <vector>

static int nq;
static volatile unsigned sink_;
static unsigned place(unsigned all, unsigned cols, unsigned d1, unsigned d2) {
    unsigned n = 0, free_ = all & ~(cols | d1 | d2);
    if (cols == all)
        return 1;
    while (free_) {
        unsigned b = free_ & -free_;
        free_ ^= b;
        n += place(all, cols | b, (d1 | b) << 1, (d2 | b) >> 1);
    }
    return n;
}
static void work() {
    if (nq)
        sink_ = place((1u << nq) - 1, 0, 0, 0);
}

static int prio(const char *p) {
    if (!strcmp(p, "rtp") || !strcmp(p, "sip"))
        return 0;
    if (!strcmp(p, "http"))
        return 1;
    return 2;
}
struct StrPacket {
    std::string nic, dst, src, dport, sport, proto;
    int priority = 3;
};
struct IntPacket {
    uint32_t dst, src;
    uint16_t dport, sport;
    uint8_t nic, out;
    char proto[6];
    int priority;
};

template <class K>
struct Mix { // the default hash keeps only low bits: all flows of one port range would collide
    static size_t hash(K k) {
        uint64_t h = k;
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
        h ^= h >> 33;
        h *= 0xc4ceb9fe1a85ec53ULL;
        return h ^ (h >> 33);
    }
    static bool equal(K a, K b) { return a == b; }
};
template <class P> struct Chunk { std::vector<P> v; };
template <class P> struct Model;

template <> struct Model<StrPacket> {
    using Tab = tbb::concurrent_hash_map<std::string, std::pair<std::string, std::string>>;
    Tab in_;
    tbb::concurrent_hash_map<std::string, std::string> out_, routes;
    std::atomic<unsigned> next{10000};
    Model() {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 256; j++) {
                tbb::concurrent_hash_map<std::string, std::string>::accessor a;
                routes.insert(a, "10." + std::to_string(230 + i) + ".30." + std::to_string(j));
                a->second = "eth" + std::to_string(i);
            }
    }
    void nat(StrPacket &p) {
        if (p.nic != "eth0") {
            std::string key = p.src + ":" + p.sport;
            tbb::concurrent_hash_map<std::string, std::string>::accessor a;
            if (out_.insert(a, key)) {
                a->second = std::to_string(10000 + (next++ % 50000));
                Tab::accessor b;
                in_.insert(b, a->second);
                b->second = {p.src, p.sport};
            }
            p.src = "134.77.77.30";
            p.sport = a->second;
        } else {
            Tab::const_accessor b;
            if (in_.find(b, p.dport)) {
                p.dst = b->second.first;
                p.dport = b->second.second;
            }
        }
    }
    void route(StrPacket &p) {
        tbb::concurrent_hash_map<std::string, std::string>::const_accessor a;
        if (routes.find(a, p.dst))
            p.nic = a->second;
        else
            p.nic = "eth0";
    }
    void prioritize(StrPacket &p) { p.priority = prio(p.proto.c_str()); }
};
template <> struct Model<IntPacket> {
    tbb::concurrent_hash_map<uint64_t, uint16_t, Mix<uint64_t>> out_;
    std::unique_ptr<std::atomic<uint64_t>[]> in_ { new std::atomic<uint64_t>[ 65536 ]() };
    tbb::concurrent_hash_map<uint32_t, uint8_t, Mix<uint32_t>> routes;
    std::atomic<unsigned> next{10000};
    Model() {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 256; j++) {
                tbb::concurrent_hash_map<uint32_t, uint8_t, Mix<uint32_t>>::accessor a;
                routes.insert(a, (10u << 24) | ((230u + i) << 16) | (30u << 8) | j);
                a->second = i;
            }
    }
    void nat(IntPacket &p) {
        if (p.nic) {
            uint64_t key = ((uint64_t)p.src << 16) | p.sport;
            uint16_t ext;
            {
                tbb::concurrent_hash_map<uint64_t, uint16_t, Mix<uint64_t>>::const_accessor c;
                if (out_.find(c, key))
                    ext = c->second;
                else {
                    c.release();
                    tbb::concurrent_hash_map<uint64_t, uint16_t, Mix<uint64_t>>::accessor a;
                    if (out_.insert(a, key)) {
                        a->second = 10000 + (next++ % 50000);
                        in_[a->second] = key;
                    }
                    ext = a->second;
                }
            }
            p.src = 0x864d4d1e;
            p.sport = ext;
        } else {
            uint64_t k = in_[p.dport];
            if (k) {
                p.dst = k >> 16;
                p.dport = (uint16_t)k;
            }
        }
    }
    void route(IntPacket &p) {
        tbb::concurrent_hash_map<uint32_t, uint8_t, Mix<uint32_t>>::const_accessor a;
        p.out = routes.find(a, p.dst) ? a->second : 0;
    }
    void prioritize(IntPacket &p) { p.priority = prio(p.proto); }
};

constexpr size_t CHUNK = 1600;
static void read_all(const char *f, tbb::concurrent_bounded_queue<Chunk<StrPacket> *> &q) {
    std::ifstream in(f);
    bool more = true;
    while (more) {
        auto *c = new Chunk<StrPacket>;
        c->v.reserve(CHUNK);
        while (c->v.size() < CHUNK) {
            StrPacket p;
            if (!(in >> p.nic >> p.dst >> p.src >> p.dport >> p.sport >> p.proto)) {
                more = false;
                break;
            }
            c->v.push_back(std::move(p));
        }
        q.push(c);
    }
    q.push(nullptr);
}
static void read_all(const char *f, tbb::concurrent_bounded_queue<Chunk<IntPacket> *> &q) {
    int fd = open(f, O_RDONLY);
    struct stat st;
    fstat(fd, &st);
    const char *p = (const char *)mmap(0, st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0),
               *e = p + st.st_size;
    auto num = [&] {
        unsigned n = 0;
        while (p < e && *p >= '0' && *p <= '9')
            n = n * 10 + (*p++ - '0');
        return n;
    };
    auto ip = [&] {
        uint32_t a = 0;
        for (int i = 0; i < 4; i++) {
            a = a << 8 | num();
            if (i < 3)
                p++;
        }
        return a;
    };
    while (p < e) {
        auto *c = new Chunk<IntPacket>;
        c->v.reserve(CHUNK);
        while (c->v.size() < CHUNK && p < e) {
            IntPacket k{};
            p += 3;
            k.nic = num();
            p++;
            k.dst = ip();
            p++;
            k.src = ip();
            p++;
            k.dport = num();
            p++;
            k.sport = num();
            p++;
            int i = 0;
            while (p < e && *p != '\n') {
                if (i < 5)
                    k.proto[i++] = *p;
                p++;
            }
            p++;
            c->v.push_back(k);
        }
        q.push(c);
    }
    q.push(nullptr);
}
template <class P> static void run(const char *f, bool par, int threads) {
    Model<P> m;
    tbb::concurrent_bounded_queue<Chunk<P> *> q;
    q.set_capacity(64);
    std::thread reader([&] { read_all(f, q); });
    std::atomic<size_t> n{0};
    auto first = [&](Chunk<P> *c) {
        for (auto &p : c->v) {
            m.prioritize(p);
            work();
        }
        std::sort(c->v.begin(), c->v.end(), [](const P &a, const P &b) { return a.priority < b.priority; });
    };
    auto second = [&](Chunk<P> *c) {
        for (auto &p : c->v) {
            m.nat(p);
            work();
        }
    };
    auto third = [&](Chunk<P> *c) {
        for (auto &p : c->v) {
            m.route(p);
            work();
        }
    };
    auto last = [&](Chunk<P> *c) {
        for (auto &p : c->v) {
            (void)p;
            work();
        }
        n += c->v.size();
        delete c;
    };
    auto t0 = std::chrono::steady_clock::now();
    if (!par) {
        Chunk<P> *c;
        for (;;) {
            q.pop(c);
            if (!c)
                break;
            first(c);
            second(c);
            third(c);
            last(c);
        }
    } else {
        tbb::global_control g(tbb::global_control::max_allowed_parallelism, threads);
        std::atomic<bool> done{false};
        tbb::parallel_pipeline(24,
                               tbb::make_filter<void, Chunk<P> *>(tbb::filter_mode::serial_out_of_order,
                                                                  [&](tbb::flow_control &fc) -> Chunk<P> * {
                                                                      Chunk<P> *c;
                                                                      q.pop(c);
                                                                      if (!c) {
                                                                          fc.stop();
                                                                          return nullptr;
                                                                      }
                                                                      return c;
                                                                  }) &
                                   tbb::make_filter<Chunk<P> *, Chunk<P> *>(tbb::filter_mode::parallel,
                                                                            [&](Chunk<P> *c) {
                                                                                first(c);
                                                                                return c;
                                                                            }) &
                                   tbb::make_filter<Chunk<P> *, Chunk<P> *>(tbb::filter_mode::parallel,
                                                                            [&](Chunk<P> *c) {
                                                                                second(c);
                                                                                return c;
                                                                            }) &
                                   tbb::make_filter<Chunk<P> *, Chunk<P> *>(tbb::filter_mode::parallel,
                                                                            [&](Chunk<P> *c) {
                                                                                third(c);
                                                                                return c;
                                                                            }) &
                                   tbb::make_filter<Chunk<P> *, void>(tbb::filter_mode::parallel, last));
    }
    double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    reader.join();
    printf("%zu packets %.4f s %.3f Mpps\n", (size_t)n, s, n / s / 1e6);
}
int main(int c, char **v) {
    if (c < 6)
        return 2;
    nq = atoi(v[5]);
    bool par = !strcmp(v[3], "tbb");
    if (!strcmp(v[2], "str"))
        run<StrPacket>(v[1], par, atoi(v[4]));
    else
        run<IntPacket>(v[1], par, atoi(v[4]));
}
