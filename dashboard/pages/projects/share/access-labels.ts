import type { Share } from './sharing-queries.ts'

type Access = Share['access']

/** Comments are to come; until then such a link shows as much as one to look at. */
export const ACCESSES: Record<Access, { can: string; words: string }> = {
  view: { can: 'Can look', words: 'can look at the canvas' },
  comment: { can: 'Can look (and comment, later)', words: 'can look at the canvas' },
  edit: { can: 'Can look and change', words: 'can change the canvas' },
}

/** What can be chosen: `comment` only where a program has chosen it before. */
export const offered = (share: Share | null): Access[] =>
  share?.access === 'comment' ? ['view', 'comment', 'edit'] : ['view', 'edit']
