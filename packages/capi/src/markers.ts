/** Labels and annotations: those of ours, and those of Cluster API that we write or read. */

/** Everything of ours bears it, also what Cluster API makes from our templates: watches find it by this. */
export const clusterLabel = 'jeroboam.io/cluster-uuid';
export const nodeGroupLabel = 'jeroboam.io/nodegroup-uuid';
export const managedByLabel = 'app.kubernetes.io/managed-by';
export const manager = 'jeroboam';

/** Names as the user wrote them; object names are shortened, and labels cannot hold every character. */
export const clusterNameAnnotation = 'jeroboam.io/cluster-name';
export const nodeGroupNameAnnotation = 'jeroboam.io/nodegroup-name';
/** What was last applied of an object, as a hash: tells whether it must be applied again without reading it. */
export const renderedAnnotation = 'jeroboam.io/rendered';
/** Of a namespace: changes whenever a cluster begins to be made in it. */
export const claimAnnotation = 'jeroboam.io/claim';

export const capiClusterLabel = 'cluster.x-k8s.io/cluster-name';
export const capiDeploymentLabel = 'cluster.x-k8s.io/deployment-name';
export const capiControlPlaneLabel = 'cluster.x-k8s.io/control-plane';
export const deleteMachineAnnotation = 'cluster.x-k8s.io/delete-machine';
export const clonedFromAnnotation = 'cluster.x-k8s.io/cloned-from-name';
export const autoscalerMinimum = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
export const autoscalerMaximum = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';
