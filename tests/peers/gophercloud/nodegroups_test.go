package gophercloud

import (
	"context"
	"net/http"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/containerinfra/v1/nodegroups"
	th "github.com/gophercloud/gophercloud/v2/testhelper"
)

func TestNodeGroups(t *testing.T) {
	client := clientOf(t, "jeroboam", "1.9")
	template := makeTemplate(t, client, "go-groups", "ubuntu-kube-v1.31")
	cluster := makeCluster(t, client, template.UUID)
	reach(t, client, cluster, "CREATE_COMPLETE")

	t.Run("a cluster begins with a group of masters and one of workers", func(t *testing.T) {
		th.AssertDeepEquals(t, []string{"default-master", "default-worker"}, namesOf(t, client, cluster, nodegroups.ListOpts{}))
		th.AssertDeepEquals(t, []string{"default-worker"}, namesOf(t, client, cluster, nodegroups.ListOpts{Role: "worker"}))
	})

	two, five := 2, 5
	group, err := nodegroups.Create(t.Context(), client, cluster, nodegroups.CreateOpts{
		Name:         "go-ng",
		NodeCount:    &two,
		MaxNodeCount: &five,
		FlavorID:     "m1.medium",
		Labels:       map[string]string{"k": "v"},
	}).Extract()
	th.AssertNoErr(t, err)
	t.Run("a created group is answered as it was asked for", func(t *testing.T) {
		th.AssertEquals(t, "go-ng", group.Name)
		th.AssertEquals(t, "worker", group.Role)
		th.AssertEquals(t, "m1.medium", group.FlavorID)
		th.AssertDeepEquals(t, map[string]string{"k": "v"}, group.Labels)
	})

	t.Run("it becomes complete", func(t *testing.T) {
		got := reachGroup(t, client, cluster, group.UUID, "CREATE_COMPLETE")
		th.AssertEquals(t, 2, got.NodeCount)
		th.AssertEquals(t, cluster, got.ClusterID)
		th.AssertFalse(t, got.IsDefault)
		th.AssertFalse(t, got.CreatedAt.IsZero())
	})

	t.Run("its bounds are changed", func(t *testing.T) {
		changed, err := nodegroups.Update(t.Context(), client, cluster, group.UUID, []nodegroups.UpdateOpts{
			{Op: nodegroups.ReplaceOp, Path: "/min_node_count", Value: 2},
			{Op: nodegroups.ReplaceOp, Path: "/max_node_count", Value: 3},
		}).Extract()
		th.AssertNoErr(t, err)
		th.AssertEquals(t, 2, changed.MinNodeCount)
		th.AssertEquals(t, 3, *changed.MaxNodeCount)
	})

	t.Run("it is deleted", func(t *testing.T) {
		th.AssertNoErr(t, nodegroups.Delete(t.Context(), client, cluster, group.UUID).ExtractErr())
		ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
		defer cancel()
		err := gophercloud.WaitFor(ctx, func(ctx context.Context) (bool, error) {
			_, err := nodegroups.Get(ctx, client, cluster, group.UUID).Extract()
			return gophercloud.ResponseCodeIs(err, http.StatusNotFound), nil
		})
		th.AssertNoErr(t, err)
	})

	t.Run("without a microversion there are no node groups", func(t *testing.T) {
		old := clientOf(t, "jeroboam", "")
		_, err := nodegroups.List(old, cluster, nil).AllPages(t.Context())
		th.AssertTrue(t, gophercloud.ResponseCodeIs(err, http.StatusNotAcceptable))
	})
}

func namesOf(t *testing.T, client *gophercloud.ServiceClient, cluster string, opts nodegroups.ListOpts) []string {
	t.Helper()
	pages, err := nodegroups.List(client, cluster, opts).AllPages(t.Context())
	th.AssertNoErr(t, err)
	groups, err := nodegroups.ExtractNodeGroups(pages)
	th.AssertNoErr(t, err)
	var names []string
	for _, group := range groups {
		names = append(names, group.Name)
	}
	return names
}

func reachGroup(t *testing.T, client *gophercloud.ServiceClient, cluster, uuid, status string) *nodegroups.NodeGroup {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	var group *nodegroups.NodeGroup
	err := gophercloud.WaitFor(ctx, func(ctx context.Context) (done bool, err error) {
		group, err = nodegroups.Get(ctx, client, cluster, uuid).Extract()
		return err == nil && group.Status == status, err
	})
	th.AssertNoErr(t, err)
	return group
}
