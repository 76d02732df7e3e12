import { api } from '../../../api/client.ts'

const MODEL = 'test/script'
const NAME = 'Demo'

/** The agent that plays the examples with the test model; created on the first use. */
export async function findOrCreateDemoAgent(): Promise<string> {
  const { items } = await api.agents.list({ q: NAME })
  const found = items.find(({ model }) => model === MODEL)
  if (found) return found.id
  const { id } = await api.agents.create({
    name: NAME,
    emoji: '🎬',
    description: 'Plays scripts with the test model, to show what agents do',
    model: MODEL,
  })
  return id
}
