import { LOCALE, t } from '../../../../../contract/text.ts'
import type { ProjectDetails } from '../../../../api/projects.ts'
import type { Share } from './sharing-queries.ts'

const list = new Intl.ListFormat(LOCALE)

interface Visibility {
  project: ProjectDetails
  share: Share | null
  /** Undefined if the user can't see the workspace. */
  primaryWorkspace: string | undefined
  isCreator: boolean
}

export function visibilitySentence({ project, share, primaryWorkspace, isCreator }: Visibility): string {
  const sentence =
    project.visibility === 'private'
      ? isCreator
        ? t`Only you can see this project.`
        : t`Only its creator can see this project.`
      : workspaceSentence(project, primaryWorkspace)
  const isExpired = share?.expiresAt && new Date(share.expiresAt).getTime() <= Date.now()
  if (!share || isExpired) return sentence
  return `${sentence} ${(share.hasPassword ? PROTECTED_LINK : OPEN_LINK)[share.access]}`
}

const OPEN_LINK: Record<Share['access'], string> = {
  view: t`Anyone with the share link can view its canvas.`,
  comment: t`Anyone with the share link can comment on its canvas.`,
  edit: t`Anyone with the share link can edit its canvas.`,
}

const PROTECTED_LINK: Record<Share['access'], string> = {
  view: t`Anyone with the share link and its password can view its canvas.`,
  comment: t`Anyone with the share link and its password can comment on its canvas.`,
  edit: t`Anyone with the share link and its password can edit its canvas.`,
}

function workspaceSentence({ sharedWorkspaces }: ProjectDetails, primary = t`its workspace`): string {
  if (sharedWorkspaces.length === 0) return t`Everyone in ${primary} and all admins can see this project.`
  const workspaces = list.format([primary, ...sharedWorkspaces.map(({ name }) => name)])
  return t`Everyone in ${workspaces}, and all admins, can see this project.`
}
