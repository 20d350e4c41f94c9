#include "align/event_files.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "store/database.h"

namespace tfpm {
namespace {

struct FileInfo {
  std::int64_t source_id = 0;
  std::string directory, owner, host;
  OptInt pid, started_us, first_us, last_us;
  int worker = -1;
  OptInt generation;
};

Result<std::vector<FileInfo>> load_files(Database& db) {
  Result<Statement> s = db.prepare(
      "SELECT e.source_id, s.path, e.owner, e.host, e.pid, e.started_us, e.first_us, e.last_us "
      "FROM event_file e JOIN source s ON s.id = e.source_id ORDER BY e.source_id");
  if (!s.ok()) return s.status();
  std::vector<FileInfo> out;
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return out;
    FileInfo f;
    f.source_id = *s->maybe_int(0);
    const std::string path = s->text(1);
    const std::size_t slash = path.rfind('/');
    if (slash != std::string::npos) f.directory = path.substr(0, slash);
    f.owner = s->text(2);
    f.host = s->text(3);
    f.pid = s->maybe_int(4);
    f.started_us = s->maybe_int(5);
    f.first_us = s->maybe_int(6);
    f.last_us = s->maybe_int(7);
    out.push_back(std::move(f));
  }
}

// Tasks by what an event file may know of them. Ambiguous keys lead to none.
class TaskIndex {
 public:
  explicit TaskIndex(const Model& m) : model_(m) {
    for (std::size_t i = 0; i < m.workers.size(); ++i) {
      const WorkerInfo& w = m.workers[i];
      const int at = static_cast<int>(i);
      if (w.instance == 0) names_.emplace(w.name, at);
      if (!w.host.empty()) put(hosts_, w.host, at);
      for (const std::int64_t pid : w.pids) put(pids_, pid, at);
    }
  }

  int find(const FileInfo& f) const {
    if (const auto it = names_.find(f.owner); it != names_.end()) return it->second;
    if (const auto it = hosts_.find(f.host); it != hosts_.end() && it->second >= 0) {
      return it->second;
    }
    if (!f.pid) return -1;
    const auto it = pids_.find(*f.pid);
    return it == pids_.end() ? -1 : it->second;
  }

  OptInt generation(const FileInfo& f) const {
    if (model_.last_generation() == 0) return 0;
    if (f.worker < 0 || !f.pid) return {};
    for (const AttemptInfo& a : model_.workers[static_cast<std::size_t>(f.worker)].attempts) {
      if (a.pid == f.pid) return a.generation;
    }
    return {};
  }

 private:
  template <typename Map, typename Key>
  static void put(Map& map, const Key& key, int at) {
    const auto [it, fresh] = map.emplace(key, at);
    if (!fresh && it->second != at) it->second = -1;
  }

  const Model& model_;
  std::unordered_map<std::string, int> names_, hosts_;
  std::unordered_map<std::int64_t, int> pids_;
};

Status store_place(Database& db, const std::vector<FileInfo>& files) {
  Result<Statement> s =
      db.prepare("UPDATE event_file SET worker_id = ?2, generation = ?3 WHERE source_id = ?1");
  if (!s.ok()) return s.status();
  for (const FileInfo& f : files) {
    if (f.worker < 0 && !f.generation) continue;
    s->bind(1, f.source_id);
    if (f.worker >= 0) {
      s->bind(2, std::int64_t{f.worker} + 1);
    } else {
      s->bind_null(2);
    }
    if (f.generation) {
      s->bind(3, *f.generation);
    } else {
      s->bind_null(3);
    }
    TFPM_RETURN_IF_ERROR(s->run());
  }
  return ok_status();
}

// One writer after another in one directory: the first had ended before the second began. Writers
// that overlap are several processes, and none replaces the other.
bool follows(const FileInfo& before, const FileInfo& after) {
  const bool same = before.directory == after.directory && before.host == after.host &&
                    before.owner == after.owner;
  return same && before.last_us && after.first_us && *before.last_us <= *after.first_us;
}

Status supersede(Database& db, const FileInfo& before, const FileInfo& after) {
  Result<Statement> s = db.prepare(
      "UPDATE metric SET superseded = 1 WHERE source_id = ?1 AND step >= (SELECT min(n.step) FROM "
      "metric n WHERE n.source_id = ?2 AND n.tag = metric.tag)");
  if (!s.ok()) return s.status();
  return s->bind(1, before.source_id).bind(2, after.source_id).run();
}

}  // namespace

Status place_event_files(Database& db, const Model& model) {
  Result<std::vector<FileInfo>> files = load_files(db);
  if (!files.ok()) return files.status();
  const TaskIndex tasks(model);
  for (FileInfo& f : *files) {
    f.worker = tasks.find(f);
    f.generation = tasks.generation(f);
  }
  TFPM_RETURN_IF_ERROR(store_place(db, *files));
  std::stable_sort(files->begin(), files->end(), [](const FileInfo& a, const FileInfo& b) {
    return std::tie(a.directory, a.host, a.owner, a.first_us) <
           std::tie(b.directory, b.host, b.owner, b.first_us);
  });
  for (std::size_t i = 1; i < files->size(); ++i) {
    for (std::size_t k = i; k-- > 0 && (*files)[k].directory == (*files)[i].directory;) {
      if (!follows((*files)[k], (*files)[i])) continue;
      TFPM_RETURN_IF_ERROR(supersede(db, (*files)[k], (*files)[i]));
      break;  // what came before that is replaced by that one where they meet
    }
  }
  return ok_status();
}

}  // namespace tfpm
