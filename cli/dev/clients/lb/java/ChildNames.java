package io.grpc.xds;

import com.google.common.collect.ImmutableMap;
import com.google.gson.*;
import io.grpc.*;
import java.util.*;

/** The names of priorities, since 1.79. */
final class ChildNames {
  private final Object cluster;

  ChildNames(LoadBalancer.Helper helper) {
    cluster = Player.get(Release.make(CdsLoadBalancer2.class, helper, LoadBalancerRegistry.getDefaultRegistry()), "clusterState");
  }

  JsonArray next(JsonObject event) {
    Map<Object, Object> map = new LinkedHashMap<>();
    JsonArray priorities = event.getAsJsonArray("priorities"), numbers = new JsonArray();
    try {
      for (int i = 0; i < priorities.size(); i++)
        for (JsonElement l : priorities.get(i).getAsJsonArray())
          map.put(Release.call(Class.forName("io.grpc.xds.client.Locality"), null, "create", "", "", l.getAsString()),
              Release.call(Endpoints.LocalityLbEndpoints.class, null, "create", List.of(), 1, i, ImmutableMap.of()));
    } catch (ClassNotFoundException e) { throw new IllegalStateException(e); }
    for (Object name : (List<?>) Release.call(cluster.getClass(), cluster, "generatePriorityNames", "C", map))
      numbers.add(Integer.parseInt(name.toString().replaceAll("\\D+", "")));
    return numbers;
  }
}
