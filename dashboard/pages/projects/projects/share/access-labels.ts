import type { Share } from './sharing-queries.ts'

type Access = Share['access']

export const ACCESSES: Record<Access, { option: string; sentence: string }> = {
  view: { option: 'Can view', sentence: 'can view the canvas' },
  comment: { option: 'Can comment', sentence: 'can view the canvas and comment on its blocks' },
  edit: { option: 'Can edit', sentence: 'can edit the canvas' },
}
