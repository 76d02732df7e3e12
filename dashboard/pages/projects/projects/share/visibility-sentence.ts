import { LOCALE, t } from '../../../../../contract/text.ts'
import type { ProjectDetails } from '../../../../api/projects.ts'
import type { Share } from './sharing-queries.ts'

const list = new Intl.ListFormat(LOCALE)

const ABILITIES: Record<Share['access'], string> = { view: 'view', comment: t`comment on`, edit: 'edit' }

interface Visibility {
  project: ProjectDetails
  share: Share | null
  /** Undefined if the user can't see the workspace. */
  primaryWorkspace: string | undefined
  isCreator: boolean
}

export function visibilitySentence({ project, share, primaryWorkspace, isCreator }: Visibility): string {
  const members =
    project.visibility === 'private'
      ? isCreator
        ? t`Only you`
        : t`Only its creator`
      : workspaceMembers(project, primaryWorkspace)
  const sentence = t`${members} can see this project.`
  const isExpired = share?.expiresAt && new Date(share.expiresAt).getTime() <= Date.now()
  if (!share || isExpired) return sentence
  const holder = share.hasPassword
    ? t`Anyone with the share link and its password`
    : t`Anyone with the share link`
  return t`${sentence} ${holder} can ${ABILITIES[share.access]} its canvas.`
}

function workspaceMembers({ sharedWorkspaces }: ProjectDetails, primary = t`its workspace`): string {
  if (sharedWorkspaces.length === 0) return t`Everyone in ${primary} and all admins`
  return t`Everyone in ${list.format([primary, ...sharedWorkspaces.map(({ name }) => name)])}, and all admins,`
}
