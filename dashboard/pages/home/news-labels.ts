import {
  CircleCheck,
  CircleSlash,
  CircleX,
  Files,
  type LucideIcon,
  MessageSquare,
  Shapes,
} from 'lucide-react'
import type { News } from './home-query.ts'

const RESULTS = {
  succeeded: { icon: CircleCheck, tone: 'text-good-text', word: 'completed' },
  failed: { icon: CircleX, tone: 'text-bad-text', word: 'failed' },
  canceled: { icon: CircleSlash, tone: 'text-neutral-10', word: 'canceled' },
}

export const iconOfNews = ({ kind, status }: News): LucideIcon =>
  kind === 'runs' ? RESULTS[status!].icon : { canvas: Shapes, files: Files, comments: MessageSquare }[kind]

export const toneOfNews = ({ kind, status }: News): string =>
  kind === 'runs' ? RESULTS[status!].tone : 'text-neutral-10'

/** The server counts up to 100. */
const counted = (count: number, singular: string, plural: string) =>
  count === 1 ? singular : `${count >= 100 ? '100 or more' : count} ${plural}`

/** The news entry as the text of the link. */
export function newsLabel({ kind, status, agentName, title, count }: News): string {
  if (kind === 'comments') return count === 1 ? `“${title}”` : counted(count, '', 'comments')
  if (kind === 'files') return count === 1 ? title! : counted(count, '', 'files added or changed')
  if (kind === 'canvas') return counted(count, 'One change on the canvas', 'changes on the canvas')
  const { word } = RESULTS[status!]
  if (count === 1) return `${title || agentName || 'A run'}: ${word}`
  return `${counted(count, '', 'runs')} of ${agentName ?? 'an agent'} ${word}`
}

/** The actor; for a run its agent. */
export function actorOf({ kind, people, agentName, count }: News): string {
  if (kind === 'runs') return count === 1 ? (agentName ?? '') : ''
  return people.join(', ')
}
