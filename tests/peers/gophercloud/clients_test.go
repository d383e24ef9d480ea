// Package gophercloud calls the running service through gophercloud, as Terraform and the cluster-autoscaler do.
// The clouds file of the service is named by OS_CLIENT_CONFIG_FILE.
package gophercloud

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/config"
	"github.com/gophercloud/gophercloud/v2/openstack/config/clouds"
	"github.com/gophercloud/gophercloud/v2/openstack/containerinfra/v1/clusters"
	"github.com/gophercloud/gophercloud/v2/openstack/containerinfra/v1/clustertemplates"
	th "github.com/gophercloud/gophercloud/v2/testhelper"
)

const waitLimit = 60 * time.Second

func providerOf(t *testing.T, cloud string) (*gophercloud.ProviderClient, gophercloud.EndpointOpts) {
	t.Helper()
	auth, endpoint, tls, err := clouds.Parse(clouds.WithCloudName(cloud))
	th.AssertNoErr(t, err)
	provider, err := config.NewProviderClient(t.Context(), auth, config.WithTLSConfig(tls))
	th.AssertNoErr(t, err)
	return provider, endpoint
}

// clientOf speaks for a person of the clouds file; an empty microversion sends none.
func clientOf(t *testing.T, cloud, microversion string) *gophercloud.ServiceClient {
	t.Helper()
	provider, endpoint := providerOf(t, cloud)
	client, err := openstack.NewContainerInfraV1(provider, endpoint)
	th.AssertNoErr(t, err)
	client.Microversion = microversion
	return client
}

func makeTemplate(t *testing.T, client *gophercloud.ServiceClient, name, image string) *clustertemplates.ClusterTemplate {
	t.Helper()
	balanced := true
	template, err := clustertemplates.Create(t.Context(), client, clustertemplates.CreateOpts{
		Name:              name,
		COE:               "kubernetes",
		ImageID:           image,
		ExternalNetworkID: "public",
		FlavorID:          "m1.small",
		MasterFlavorID:    "m1.small",
		KeyPairID:         "default",
		DNSNameServer:     "8.8.8.8",
		MasterLBEnabled:   &balanced,
		Labels:            map[string]string{"a": "b"},
	}).Extract()
	th.AssertNoErr(t, err)
	t.Cleanup(func() {
		th.AssertNoErr(t, clustertemplates.Delete(context.Background(), client, template.UUID).ExtractErr())
	})
	return template
}

func makeCluster(t *testing.T, client *gophercloud.ServiceClient, template string) string {
	t.Helper()
	one := 1
	uuid, err := clusters.Create(t.Context(), client, clusters.CreateOpts{
		Name:              "go-c",
		ClusterTemplateID: template,
		NodeCount:         &one,
		MasterCount:       &one,
	}).Extract()
	th.AssertNoErr(t, err)
	t.Cleanup(func() { removeCluster(t, client, uuid) })
	return uuid
}

func removeCluster(t *testing.T, client *gophercloud.ServiceClient, uuid string) {
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	th.AssertNoErr(t, clusters.Delete(ctx, client, uuid).ExtractErr())
	err := gophercloud.WaitFor(ctx, func(ctx context.Context) (bool, error) {
		_, err := clusters.Get(ctx, client, uuid).Extract()
		return gophercloud.ResponseCodeIs(err, http.StatusNotFound), nil
	})
	th.AssertNoErr(t, err)
}

// reach waits for a status and returns the cluster that has it.
func reach(t *testing.T, client *gophercloud.ServiceClient, uuid, status string) *clusters.Cluster {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	var cluster *clusters.Cluster
	err := gophercloud.WaitFor(ctx, func(ctx context.Context) (done bool, err error) {
		cluster, err = clusters.Get(ctx, client, uuid).Extract()
		return err == nil && cluster.Status == status, err
	})
	th.AssertNoErr(t, err)
	return cluster
}
