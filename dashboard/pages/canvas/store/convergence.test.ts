import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiFailure } from '../../../../client/client.ts'
import { type CanvasStore, createCanvasStore } from './canvas-store.ts'
import { createFakeServer, testBlock } from './fake-server.ts'
import { toWrite } from './write.ts'

const IDS = ['a', 'b']
type Person = 0 | 1
type Step =
  | { do: 'make' | 'remove' | 'move' | 'connect'; who: Person; id: string; to: string; value: number }
  | { do: 'undo' | 'redo' | 'applyRemote' | 'arrive' | 'result' | 'lose'; who: Person }

/** Few items and many messages, so that the users conflict. */
const who = fc.constantFrom<Person>(0, 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('make', 'remove', 'move', 'move', 'move', 'connect'),
      who,
      id: fc.constantFrom(...IDS),
      to: fc.constantFrom(...IDS),
      value: fc.integer({ min: 0, max: 99 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('arrive', 'result', 'applyRemote'), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('undo', 'redo', 'lose'), who }) },
)

test("the store converges to the server's state for two users on a slow, lossy network", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 150, size: 'max' }), async (steps) => {
      const server = createFakeServer()
      server.send(toWrite({ create: { blocks: [testBlock('a'), testBlock('b')] } }), 'the beginning')
      const people = [makePerson(server), makePerson(server)] as const
      for (const action of steps) {
        applyStep(people[action.who], action)
        await flushMicrotasks()
      }
      // From here on the network is reliable.
      for (let idleRounds = 0; idleRounds < 3; idleRounds++) {
        for (const person of people) idleRounds = (await person.settle()) ? idleRounds : 0
      }
      for (const { store, applyRemote } of people) {
        applyRemote()
        expect(visibleState(store)).toEqual(stateOf(server))
      }
    }),
    { numRuns: 200 },
  )
})

function makePerson(server: ReturnType<typeof createFakeServer>) {
  /** The request in flight: not yet received, or processed with its response pending. */
  let batch: { arrive: () => void; result?: () => void; lose: () => void } | undefined
  const store = createCanvasStore({
    projectId: 'p',
    canvas: server.canvas(),
    read: async () => server.canvas(),
    send: (write, key) =>
      new Promise((resolve, reject) => {
        const request: NonNullable<typeof batch> = {
          arrive: () => {
            try {
              const result = server.send(write, key)
              request.result ??= () => resolve(result)
            } catch (error) {
              request.result ??= () => reject(error)
            }
          },
          lose: () => reject(new ApiFailure(0, { message: 'Can’t reach the server' })),
        }
        batch = request
      }),
    onRejected: () => {},
    wait: () => Promise.resolve(),
  })
  const end = (outcome: 'result' | 'lose') => {
    const complete = batch?.[outcome]
    if (complete) batch = undefined
    complete?.()
  }
  return {
    store,
    applyRemote: () => store.applyRemote(server.changes.slice(store.seq())),
    arrive: () => batch?.arrive(),
    result: () => end('result'),
    lose: () => end('lose'),
    /** Delivers the pending request and its response. Returns true if there was none and everything is saved. */
    async settle() {
      const hadBatch = batch !== undefined
      batch?.arrive()
      end('result')
      await flushMicrotasks()
      return !hadBatch && !batch && store.saving.get() === 'saved'
    },
  }
}

function applyStep(person: ReturnType<typeof makePerson>, action: Step) {
  const { store } = person
  switch (action.do) {
    case 'make':
      return store.change({ create: { blocks: [testBlock(action.id, { x: action.value })] } })
    case 'remove':
      return store.change({ delete: { blocks: [action.id] } })
    case 'move':
      return store.change({ update: { blocks: [{ id: action.id, x: action.value }] } })
    case 'connect': {
      const edge = {
        id: `${action.id}-${action.to}`,
        fromBlockId: action.id,
        toBlockId: action.to,
        label: null,
        condition: null,
        style: {},
      }
      return action.id !== action.to && store.change({ create: { edges: [edge] } })
    }
    case 'undo':
      return store.undo()
    case 'redo':
      return store.redo()
    default:
      return person[action.do]()
  }
}

const flushMicrotasks = () => new Promise((resolve) => setImmediate(resolve))
const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id)
const positionOf = ({ id, x }: { id: string; x: number }) => ({ id, x })

const visibleState = ({ items }: CanvasStore) => ({
  blocks: [...items.blocks.values()].map(positionOf).sort(byId),
  edges: [...items.edges.values()].sort(byId),
})
function stateOf(server: ReturnType<typeof createFakeServer>) {
  const { items, edges } = server.canvas()
  return { blocks: items.map(positionOf).sort(byId), edges: edges.sort(byId) }
}
