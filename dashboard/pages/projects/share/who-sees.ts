import type { ProjectDetails } from '../../../api/projects.ts'
import type { Share } from './sharing-queries.ts'

const list = new Intl.ListFormat('en')

interface Seen {
  project: ProjectDetails
  share: Share | null
  /** The name of its primary workspace, if one can see that. */
  home: string | undefined
  /** Whether it is the person who looks that created it. */
  isMine: boolean
}

/** Who sees a project now, in one sentence. */
export function whoSees({ project, share, home, isMine }: Seen): string {
  const inside = project.visibility === 'private' ? onlyOne(isMine) : `${everybody(project, home)} see`
  const isOver = share?.expiresAt && new Date(share.expiresAt).getTime() <= Date.now()
  if (!share || isOver) return `${inside} this project.`
  const key = share.hasPassword ? 'knows the share link and its password' : 'has the share link'
  const does = share.access === 'edit' ? 'sees and changes' : 'sees'
  return `${inside} this project; whoever ${key} ${does} its canvas too.`
}

const onlyOne = (isMine: boolean) => (isMine ? 'Only you see' : 'Only its creator sees')

function everybody({ sharedWorkspaces }: ProjectDetails, home = 'its workspace'): string {
  if (sharedWorkspaces.length === 0) return `Everybody in ${home} and all admins`
  return `Everybody in ${list.format([home, ...sharedWorkspaces.map(({ name }) => name)])}, and all admins,`
}
