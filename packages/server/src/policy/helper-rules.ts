/**
 * Magnum's building blocks. Operators override them in place of the many rules that stand on them, so their names are
 * part of the interface, also of those ("…deny_cluster_user") whose meaning has shrunk to that of their neighbours.
 */
export const HELPER_RULES: Readonly<Record<string, string>> = {
  context_is_admin: 'role:admin',
  admin_or_owner: 'is_admin:True or project_id:%(project_id)s',
  admin_or_user: 'is_admin:True or user_id:%(user_id)s',
  is_user: 'user_id:%(user_id)s',
  project_member: 'role:member and project_id:%(project_id)s',
  project_reader: 'role:reader and project_id:%(project_id)s',
  admin_or_project_reader: '(rule:context_is_admin) or (rule:project_reader)',
  admin_or_project_member: '(rule:context_is_admin) or (rule:project_member)',
  admin_or_project_member_user: '(rule:context_is_admin) or ((rule:project_member) and (rule:is_user))',
  admin_or_project_member_user_or_cluster_user:
    '(rule:context_is_admin) or ((rule:project_member) and (rule:is_user))',
  project_member_deny_cluster_user: '(rule:project_member)',
  admin_or_project_member_deny_cluster_user: '(rule:context_is_admin) or (rule:project_member)',
  project_reader_deny_cluster_user: '(rule:project_reader)',
  admin_or_project_reader_deny_cluster_user: '(rule:context_is_admin) or (rule:project_reader)',
  admin_or_project_reader_user: '(rule:context_is_admin) or ((rule:project_reader) and (rule:is_user))',
};
