import { createStore } from './store.ts'

/** The sample project that the tour shows. */
export interface Sample {
  projectId: string
  /** The project in URLs. */
  ref: string
  agentBlockId: string | null
  fileBlockId: string | null
  sessionId: string | null
}

interface Tour {
  sample: Sample
  /** The number of the step, from 0. */
  index: number
}

/** The current tour, or null. Its code loads when it starts. */
const tour = createStore<Tour | null>(null)

export const useTour = tour.use
export const showTour = tour.set
