package gophercloud

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"net/http"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/containerinfra/v1/certificates"
	"github.com/gophercloud/gophercloud/v2/openstack/containerinfra/v1/clusters"
	th "github.com/gophercloud/gophercloud/v2/testhelper"
)

func TestClusters(t *testing.T) {
	client := clientOf(t, "jeroboam", "1.10")
	template := makeTemplate(t, client, "go-clusters", "ubuntu-kube-v1.31")
	newer := makeTemplate(t, client, "go-newer", "ubuntu-kube-v1.32")
	uuid := makeCluster(t, client, template.UUID)

	t.Run("a cluster becomes complete", func(t *testing.T) {
		cluster := reach(t, client, uuid, "CREATE_COMPLETE")
		th.AssertEquals(t, "go-c", cluster.Name)
		th.AssertEquals(t, "1.31.4", cluster.COEVersion)
		th.AssertTrue(t, cluster.StackID != "")
		th.AssertTrue(t, cluster.APIAddress != "")
		th.AssertDeepEquals(t, map[string]string{"a": "b"}, cluster.Labels)
		th.AssertFalse(t, cluster.CreatedAt.IsZero())
	})

	t.Run("it stands in both kinds of list", func(t *testing.T) {
		for _, list := range []func() ([]clusters.Cluster, error){
			func() ([]clusters.Cluster, error) {
				pages, err := clusters.List(client, nil).AllPages(t.Context())
				th.AssertNoErr(t, err)
				return clusters.ExtractClusters(pages)
			},
			func() ([]clusters.Cluster, error) {
				pages, err := clusters.ListDetail(client, nil).AllPages(t.Context())
				th.AssertNoErr(t, err)
				return clusters.ExtractClusters(pages)
			},
		} {
			listed, err := list()
			th.AssertNoErr(t, err)
			th.AssertEquals(t, 1, len(listed))
			th.AssertEquals(t, uuid, listed[0].UUID)
		}
	})

	t.Run("an update changes the number of nodes", func(t *testing.T) {
		changed, err := clusters.Update(t.Context(), client, uuid, []clusters.UpdateOpts{
			{Op: clusters.ReplaceOp, Path: "/node_count", Value: 2},
		}).Extract()
		th.AssertNoErr(t, err)
		th.AssertEquals(t, uuid, changed)
		th.AssertEquals(t, 2, reach(t, client, uuid, "UPDATE_COMPLETE").NodeCount)
	})

	t.Run("a resize to zero nodes is carried out", func(t *testing.T) {
		zero := 0
		resized, err := clusters.Resize(t.Context(), client, uuid, clusters.ResizeOpts{NodeCount: &zero}).Extract()
		th.AssertNoErr(t, err)
		th.AssertEquals(t, uuid, resized)
		th.AssertEquals(t, 0, reach(t, client, uuid, "UPDATE_COMPLETE").NodeCount)
	})

	t.Run("the control plane grows to three and not to two", func(t *testing.T) {
		three, two := 3, 2
		opts := clusters.ResizeOpts{NodeCount: &three, NodeGroup: "default-master"}
		_, err := clusters.Resize(t.Context(), client, uuid, opts).Extract()
		th.AssertNoErr(t, err)
		th.AssertEquals(t, 3, reach(t, client, uuid, "UPDATE_COMPLETE").MasterCount)
		opts.NodeCount = &two
		_, err = clusters.Resize(t.Context(), client, uuid, opts).Extract()
		th.AssertTrue(t, gophercloud.ResponseCodeIs(err, http.StatusBadRequest))
	})

	t.Run("an upgrade is carried out", func(t *testing.T) {
		upgraded, err := clusters.Upgrade(t.Context(), client, uuid, clusters.UpgradeOpts{
			ClusterTemplate: newer.UUID,
		}).Extract()
		th.AssertNoErr(t, err)
		th.AssertEquals(t, uuid, upgraded)
		cluster := reach(t, client, uuid, "UPDATE_COMPLETE")
		th.AssertEquals(t, "1.32.1", cluster.COEVersion)
		th.AssertEquals(t, newer.UUID, cluster.ClusterTemplateID)
	})

	t.Run("a request is signed by the authority of the cluster", func(t *testing.T) { signs(t, client, uuid) })

	t.Run("an authority that cannot be rotated stays", func(t *testing.T) {
		err := certificates.Update(t.Context(), client, uuid).ExtractErr()
		th.AssertTrue(t, gophercloud.ResponseCodeIs(err, http.StatusBadRequest))
	})

	t.Run("another project cannot find it", func(t *testing.T) {
		other := clientOf(t, "jeroboam-second", "")
		_, err := clusters.Get(t.Context(), other, uuid).Extract()
		th.AssertTrue(t, gophercloud.ResponseCodeIs(err, http.StatusNotFound))
	})
}

func signs(t *testing.T, client *gophercloud.ServiceClient, uuid string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	th.AssertNoErr(t, err)
	request := &x509.CertificateRequest{Subject: pkix.Name{CommonName: "gopher"}}
	der, err := x509.CreateCertificateRequest(rand.Reader, request, key)
	th.AssertNoErr(t, err)
	csr := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der})

	signed, err := certificates.Create(t.Context(), client, certificates.CreateOpts{
		ClusterUUID: uuid,
		CSR:         string(csr),
	}).Extract()
	th.AssertNoErr(t, err)
	th.AssertEquals(t, string(csr), signed.CSR)
	authority, err := certificates.Get(t.Context(), client, uuid).Extract()
	th.AssertNoErr(t, err)

	certificate := certificateIn(t, signed.PEM)
	th.AssertNoErr(t, certificate.CheckSignatureFrom(certificateIn(t, authority.PEM)))
	th.AssertEquals(t, "gopher", certificate.Subject.CommonName)
	th.AssertTrue(t, key.PublicKey.Equal(certificate.PublicKey))
}

func certificateIn(t *testing.T, text string) *x509.Certificate {
	t.Helper()
	block, _ := pem.Decode([]byte(text))
	th.AssertTrue(t, block != nil)
	certificate, err := x509.ParseCertificate(block.Bytes)
	th.AssertNoErr(t, err)
	return certificate
}
