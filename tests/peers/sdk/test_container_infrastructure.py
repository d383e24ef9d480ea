"""What a program does with clusters through openstacksdk, against the running service."""

import unittest

import openstack
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from openstack import exceptions

TEMPLATE = {
    "coe": "kubernetes",
    "image_id": "ubuntu-kube-v1.31",
    "external_network_id": "public",
    "flavor_id": "m1.small",
    "master_flavor_id": "m1.small",
    "keypair_id": "default",
}


def infra(cloud="jeroboam"):
    return openstack.connect(cloud=cloud).container_infrastructure_management


def signing_request():
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sdk")])
    request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, hashes.SHA256())
    return key, request.public_bytes(serialization.Encoding.PEM).decode()


class InfraTest(unittest.TestCase):
    def assertRefused(self, detail, call, **attributes):
        """The SDK does not show what Magnum says, but hands its answer on."""
        with self.assertRaises(exceptions.BadRequestException) as raised:
            call(**attributes)
        self.assertEqual(detail, raised.exception.response.json()["errors"][0]["detail"])


class Templates(InfraTest):
    def setUp(self):
        self.infra = infra()
        self.template = self.infra.create_cluster_template(name="sdk-ct", labels={"a": "b"}, **TEMPLATE)
        self.addCleanup(self.infra.delete_cluster_template, self.template)

    def test_a_created_template_has_what_was_sent_and_the_defaults(self):
        self.assertEqual("sdk-ct", self.template.name)
        self.assertEqual({"a": "b"}, self.template.labels)
        self.assertEqual("ubuntu", self.template.cluster_distro)
        self.assertEqual("vm", self.template.server_type)
        self.assertIs(False, self.template.is_public)
        self.assertIs(True, self.template.is_floating_ip_enabled)
        self.assertIsNotNone(self.template.created_at)

    def test_a_template_is_got_by_uuid(self):
        self.assertEqual("sdk-ct", self.infra.get_cluster_template(self.template.uuid).name)

    def test_a_template_is_found_by_name_and_by_uuid(self):
        for ident in ("sdk-ct", self.template.uuid):
            self.assertEqual(self.template.uuid, self.infra.find_cluster_template(ident).uuid)

    def test_a_missing_template_is_not_found(self):
        self.assertIsNone(self.infra.find_cluster_template("nope"))
        with self.assertRaises(exceptions.NotFoundException):
            self.infra.get_cluster_template("nope")

    def test_templates_are_listed_over_several_pages(self):
        others = [self.infra.create_cluster_template(name=f"sdk-ct{n}", **TEMPLATE) for n in range(4)]
        for other in others:
            self.addCleanup(self.infra.delete_cluster_template, other)
        names = [template.name for template in self.infra.cluster_templates(limit=2)]
        self.assertEqual(["sdk-ct", "sdk-ct0", "sdk-ct1", "sdk-ct2", "sdk-ct3"], names)

    def test_an_update_changes_what_it_names_and_nothing_else(self):
        changed = self.infra.update_cluster_template(self.template, flavor_id="m1.medium")
        self.assertEqual("m1.medium", changed.flavor_id)
        kept = self.infra.get_cluster_template(self.template.uuid)
        self.assertEqual("m1.medium", kept.flavor_id)
        self.assertEqual("m1.small", kept.master_flavor_id)
        self.assertEqual({"a": "b"}, kept.labels)

    def test_a_wrong_image_is_told_in_the_words_of_the_service(self):
        self.assertRefused(
            "Image nope could not be found.",
            self.infra.create_cluster_template,
            **{**TEMPLATE, "image_id": "nope"},
        )

    def test_another_project_sees_no_private_template(self):
        self.assertIsNone(infra("jeroboam-second").find_cluster_template(self.template.uuid))

    def test_a_reader_must_not_delete(self):
        with self.assertRaises(exceptions.ForbiddenException):
            infra("jeroboam-reader").delete_cluster_template(self.template)

    def test_the_cloud_layer_lists_and_searches(self):
        cloud = openstack.connect(cloud="jeroboam")
        self.assertEqual(["sdk-ct"], [template.name for template in cloud.list_cluster_templates()])
        self.assertEqual(self.template.uuid, cloud.search_cluster_templates("sdk-ct")[0].uuid)


class Clusters(InfraTest):
    """One cluster for all: making one takes a key for each of its authorities."""

    @classmethod
    def setUpClass(cls):
        cls.infra = infra()
        cls.template = cls.infra.create_cluster_template(name="sdk-clusters", **TEMPLATE)
        cls.addClassCleanup(cls.infra.delete_cluster_template, cls.template)
        cls.cluster = cls.infra.create_cluster(
            name="sdk-c", cluster_template_id=cls.template.uuid, node_count=1, master_count=1
        )
        cls.addClassCleanup(cls.remove, cls.cluster)
        cls.cluster = cls.reach(cls.cluster, "CREATE_COMPLETE")

    @classmethod
    def reach(cls, cluster, status):
        cluster = cls.infra.get_cluster(cluster.uuid)
        return cls.infra.wait_for_status(
            cluster, status=status, failures=["CREATE_FAILED", "UPDATE_FAILED"], interval=1, wait=60
        )

    @classmethod
    def remove(cls, cluster):
        cls.infra.delete_cluster(cluster)
        cls.infra.wait_for_delete(cls.infra.find_cluster(cluster.uuid) or cluster, interval=1, wait=60)

    def test_a_cluster_becomes_complete(self):
        self.assertEqual("CREATE_COMPLETE", self.infra.get_cluster("sdk-c").status)
        self.assertTrue(self.cluster.api_address.startswith("https://"))
        self.assertEqual("1.31.4", self.cluster.coe_version)
        self.assertEqual(1, self.cluster.node_count)

    def test_a_cluster_is_found_by_name_and_by_uuid(self):
        for ident in ("sdk-c", self.cluster.uuid):
            self.assertEqual(self.cluster.uuid, self.infra.find_cluster(ident).uuid)

    def test_a_missing_cluster_is_not_found(self):
        self.assertIsNone(self.infra.find_cluster("nope"))
        self.assertIsNone(self.infra.delete_cluster("nope"))
        with self.assertRaises(exceptions.NotFoundException):
            self.infra.delete_cluster("nope", ignore_missing=False)

    def test_clusters_are_listed(self):
        self.assertEqual(["sdk-c"], [cluster.name for cluster in self.infra.clusters()])

    def test_the_cloud_layer_lists_and_gets(self):
        cloud = openstack.connect(cloud="jeroboam")
        self.assertEqual(["sdk-c"], [cluster.name for cluster in cloud.list_coe_clusters()])
        self.assertEqual(self.cluster.uuid, cloud.get_coe_cluster("sdk-c").uuid)

    def test_the_number_of_nodes_is_changed(self):
        cluster = self.infra.create_cluster(
            name="sdk-growing", cluster_template_id="sdk-clusters", node_count=1, master_count=1
        )
        self.addCleanup(self.remove, cluster)
        cluster = self.reach(cluster, "CREATE_COMPLETE")
        self.infra.update_cluster(cluster, node_count=2)
        self.assertEqual(2, self.reach(cluster, "UPDATE_COMPLETE").node_count)

    def test_a_request_is_signed_by_the_authority_of_the_cluster(self):
        key, request = signing_request()
        ca = x509.load_pem_x509_certificate(
            self.infra.get_cluster_certificate(self.cluster.uuid).pem.encode()
        )
        signed = self.infra.create_cluster_certificate(cluster_uuid=self.cluster.uuid, csr=request)
        certificate = x509.load_pem_x509_certificate(signed.pem.encode())
        certificate.verify_directly_issued_by(ca)
        self.assertEqual(key.public_key(), certificate.public_key())

    def test_an_unknown_template_is_a_bad_request_without_a_microversion(self):
        self.assertRefused(
            "ClusterTemplate nope could not be found.",
            self.infra.create_cluster,
            name="sdk-x",
            cluster_template_id="nope",
        )

    def test_zero_nodes_are_refused_without_a_microversion(self):
        self.assertRefused(
            "Resizing a nodegroup to zero is not supported in the provided microversion.",
            self.infra.create_cluster,
            name="sdk-x",
            cluster_template_id=self.template.uuid,
            node_count=0,
        )

    def test_another_project_sees_no_cluster(self):
        self.assertEqual([], list(infra("jeroboam-second").clusters()))
        self.assertIsNone(infra("jeroboam-second").find_cluster(self.cluster.uuid))

    def test_a_reader_sees_clusters_and_must_not_delete_them(self):
        reader = infra("jeroboam-reader")
        self.assertEqual("sdk-c", reader.get_cluster(self.cluster.uuid).name)
        with self.assertRaises(exceptions.ForbiddenException):
            reader.delete_cluster(self.cluster)


class Services(unittest.TestCase):
    def test_an_administrator_sees_the_one_service(self):
        (service,) = infra("jeroboam-admin").services()
        self.assertEqual(("magnum-conductor", "up"), (service.binary, service.state))

    def test_a_member_must_not_see_services(self):
        with self.assertRaises(exceptions.ForbiddenException):
            list(infra().services())
