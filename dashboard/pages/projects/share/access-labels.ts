import type { Share } from './sharing-queries.ts'

type Access = Share['access']

/** Comments do not exist yet: a link with `comment` grants the same access as one with `view`. */
export const ACCESSES: Record<Access, { option: string; sentence: string }> = {
  view: { option: 'Can view', sentence: 'can view the canvas' },
  comment: { option: 'Can comment (view only for now)', sentence: 'can view the canvas' },
  edit: { option: 'Can edit', sentence: 'can edit the canvas' },
}

/** Offers `comment` only for a link that an API caller has set to it. */
export const accessOptions = (share: Share | null): Access[] =>
  share?.access === 'comment' ? ['view', 'comment', 'edit'] : ['view', 'edit']
