import { rootViewOnly, viewOnly } from '../../../errors.ts'
import type { Access } from '../../projects/access/access.ts'

/** Refuses a folder or file that the caller can see but not edit. */
export function requireEdit({
  access,
  projectId,
}: {
  access: Access | null
  projectId: string | null
}): void {
  if (access === 'view') throw projectId === null ? rootViewOnly() : viewOnly()
}
