// SPDX-License-Identifier: MIT
#include "cli/agreement.hpp"

#include "srgw/metrics.hpp"

namespace srgw::cli {

void add_agreement(nlohmann::ordered_json& json, const Assignment& truth, const Assignment& labels,
                   const std::string& ending) {
  json["ri" + ending] = metrics::rand_index(truth, labels);
  json["ari" + ending] = metrics::adjusted_rand_index(truth, labels);
  json["ami" + ending] = metrics::adjusted_mutual_information(truth, labels);
  json["nmi" + ending] = metrics::normalized_mutual_information(truth, labels);
}

}  // namespace srgw::cli
