package gophercloud

import (
	"net/http"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/containerinfra/v1/clustertemplates"
	th "github.com/gophercloud/gophercloud/v2/testhelper"
)

func TestTemplates(t *testing.T) {
	client := clientOf(t, "jeroboam", "")
	template := makeTemplate(t, client, "go-ct", "ubuntu-kube-v1.31")

	t.Run("what was sent is answered, with types that Go can read", func(t *testing.T) {
		th.AssertEquals(t, "go-ct", template.Name)
		th.AssertEquals(t, "ubuntu", template.ClusterDistro)
		th.AssertEquals(t, "public", template.ExternalNetworkID)
		th.AssertDeepEquals(t, map[string]string{"a": "b"}, template.Labels)
		th.AssertTrue(t, template.MasterLBEnabled)
		th.AssertFalse(t, template.CreatedAt.IsZero())
		th.AssertTrue(t, template.UpdatedAt.IsZero())
	})

	t.Run("a request has an id", func(t *testing.T) {
		result := clustertemplates.Get(t.Context(), client, template.UUID)
		th.AssertNoErr(t, result.Err)
		th.AssertTrue(t, result.Header.Get("X-Openstack-Request-Id") != "")
	})

	t.Run("a template is got by name", func(t *testing.T) {
		got, err := clustertemplates.Get(t.Context(), client, "go-ct").Extract()
		th.AssertNoErr(t, err)
		th.AssertEquals(t, template.UUID, got.UUID)
	})

	t.Run("all pages of a list are followed", func(t *testing.T) {
		for _, name := range []string{"go-ct2", "go-ct3", "go-ct4"} {
			makeTemplate(t, client, name, "ubuntu-kube-v1.31")
		}
		pages, err := clustertemplates.List(client, clustertemplates.ListOpts{Limit: 2}).AllPages(t.Context())
		th.AssertNoErr(t, err)
		listed, err := clustertemplates.ExtractClusterTemplates(pages)
		th.AssertNoErr(t, err)
		th.AssertEquals(t, 4, len(listed))
	})

	t.Run("a template is changed", func(t *testing.T) {
		changed, err := clustertemplates.Update(t.Context(), client, template.UUID, []clustertemplates.UpdateOpts{
			{Op: clustertemplates.ReplaceOp, Path: "/master_lb_enabled", Value: "false"},
			{Op: clustertemplates.AddOp, Path: "/labels/test", Value: "test"},
		}).Extract()
		th.AssertNoErr(t, err)
		th.AssertFalse(t, changed.MasterLBEnabled)
		th.AssertEquals(t, "test", changed.Labels["test"])
	})

	t.Run("another project cannot find it", func(t *testing.T) {
		other := clientOf(t, "jeroboam-second", "")
		_, err := clustertemplates.Get(t.Context(), other, template.UUID).Extract()
		th.AssertTrue(t, gophercloud.ResponseCodeIs(err, http.StatusNotFound))
	})

	t.Run("a reader must not delete it", func(t *testing.T) {
		reader := clientOf(t, "jeroboam-reader", "")
		err := clustertemplates.Delete(t.Context(), reader, template.UUID).ExtractErr()
		th.AssertTrue(t, gophercloud.ResponseCodeIs(err, http.StatusForbidden))
	})
}
