// SPDX-License-Identifier: MIT
#include "cli/agreement.hpp"

namespace srgw::cli {

void add_agreement(nlohmann::ordered_json& json, const Assignment& truth, const Assignment& labels,
                   const std::string& ending) {
  add_agreement(json, metrics::contingency(truth, labels), ending);
}

void add_agreement(nlohmann::ordered_json& json, const metrics::Contingency& table,
                   const std::string& ending) {
  json["ri" + ending] = metrics::rand_index(table);
  json["ari" + ending] = metrics::adjusted_rand_index(table);
  json["ami" + ending] = metrics::adjusted_mutual_information(table);
  json["nmi" + ending] = metrics::normalized_mutual_information(table);
}

}  // namespace srgw::cli
