import { createStore } from './store.ts'

export interface Sample {
  projectId: string
  /** As used in URLs. */
  ref: string
  agentBlockId: string | null
  fileBlockId: string | null
  sessionId: string | null
}

interface Tour {
  sample: Sample
  /** 0-based. */
  index: number
}

/** Null without a tour. Its code loads when it starts. */
const tour = createStore<Tour | null>(null)

export const useTour = tour.use
export const showTour = tour.set
