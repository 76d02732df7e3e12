import { capitalize } from '../state/capitalize.ts'

/** Fields of the API whose label in the forms is not their name. */
const LABELS: Record<string, string> = {
  defaultProjectVisibility: 'Visibility',
  events: 'Event types',
  expiresAt: 'Expires',
  gracePeriodSeconds: 'Grace period',
  maxUses: 'Maximum uses',
  metadata: 'Details',
  organizationName: 'Organization',
  ownerId: 'Owner',
  parentId: 'Folder',
  projectId: 'Project',
  prompt: 'Instructions',
  token: 'Link',
  url: 'Endpoint URL',
  userId: 'Person',
  workspaceId: 'Workspace',
  workspaceName: 'Workspace',
}

/** The label of a field in an error, such as `body.tags.2`: its name as forms write it, without positions in lists. */
export function labelOf(path: string): string {
  const names = path.split('.').filter((part) => !/^\d+$/.test(part))
  const name = names.at(-1) ?? path
  return (
    LABELS[name] ??
    capitalize(
      name
        .replaceAll('_', ' ')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase(),
    )
  )
}
