import { api } from '../api/client.ts'
import { projectRef } from '../api/projects.ts'
import { queryClient } from '../api/query-client.ts'
import { type Sample, showTour } from '../state/tour.ts'
import { STEPS } from './steps.ts'

/** Returns the page's path. Creates the sample project if the user has none. */
export async function startTour(step: string | null): Promise<string> {
  const sample = await findSample()
  const index = Math.max(
    0,
    STEPS.findIndex(({ id }) => id === step),
  )
  showTour({ sample, index })
  rememberStep(index)
  return STEPS[index]!.path(sample)
}

export function rememberStep(index: number | 'ended') {
  const isOver = index === 'ended'
  const tour = { step: isOver ? null : STEPS[index]!.id, ended: isOver }
  api.home.update({ tour }).then(refreshHome, () => {})
}

async function findSample(): Promise<Sample> {
  const { items } = await api.projects.list({ tag: 'sample', visibility: 'private', limit: 1 })
  const project = items[0] ?? (await createSample())
  const [canvas, sessions] = await Promise.all([
    api.canvas.list({ projectId: project.id }),
    api.sessions.list({ projectId: project.id, limit: 50 }),
  ])
  const blockOf = (type: string) => canvas.items.find((block) => block.type === type)?.id ?? null
  return {
    projectId: project.id,
    ref: projectRef(project),
    agentBlockId: blockOf('agent'),
    fileBlockId: blockOf('file'),
    // The oldest session: agent block runs create newer ones.
    sessionId: sessions.items.at(-1)?.id ?? null,
  }
}

const refreshHome = () => queryClient.invalidateQueries({ queryKey: ['home'] })

export async function createSample() {
  const { project } = await api.projects.sample()
  void queryClient.invalidateQueries({ queryKey: ['projects'] })
  void queryClient.invalidateQueries({ queryKey: ['agents'] })
  void refreshHome()
  return project
}
