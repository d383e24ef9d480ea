package gophercloud

import (
	"context"
	"net/http"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/containerinfra/v1/quotas"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/projects"
	th "github.com/gophercloud/gophercloud/v2/testhelper"
)

func TestQuotas(t *testing.T) {
	provider, endpoint := providerOf(t, "jeroboam-admin")
	identity, err := openstack.NewIdentityV3(provider, endpoint)
	th.AssertNoErr(t, err)
	project, err := projects.Create(t.Context(), identity, projects.CreateOpts{Name: "go-quotas"}).Extract()
	th.AssertNoErr(t, err)
	t.Cleanup(func() {
		th.AssertNoErr(t, projects.Delete(context.Background(), identity, project.ID).ExtractErr())
	})
	opts := quotas.CreateOpts{ProjectID: project.ID, Resource: "Cluster", HardLimit: 10}

	t.Run("an administrator creates a quota", func(t *testing.T) {
		quota, err := quotas.Create(t.Context(), clientOf(t, "jeroboam-admin", ""), opts).Extract()
		th.AssertNoErr(t, err)
		th.AssertEquals(t, project.ID, quota.ProjectID)
		th.AssertEquals(t, "Cluster", quota.Resource)
		th.AssertEquals(t, 10, quota.HardLimit)
		th.AssertTrue(t, quota.ID != "")
	})

	t.Run("a second one for the same project is a conflict", func(t *testing.T) {
		_, err := quotas.Create(t.Context(), clientOf(t, "jeroboam-admin", ""), opts).Extract()
		th.AssertTrue(t, gophercloud.ResponseCodeIs(err, http.StatusConflict))
	})

	t.Run("a member must not create quotas", func(t *testing.T) {
		_, err := quotas.Create(t.Context(), clientOf(t, "jeroboam", ""), opts).Extract()
		th.AssertTrue(t, gophercloud.ResponseCodeIs(err, http.StatusForbidden))
	})
}
