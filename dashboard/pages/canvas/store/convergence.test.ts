import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiFailure } from '../../../../client/client.ts'
import { type CanvasStore, createCanvasStore } from './canvas-store.ts'
import { blockOf, pretendServer } from './fake-server.ts'
import { writeOf } from './write.ts'

const IDS = ['a', 'b']
type Person = 0 | 1
type Step =
  | { do: 'make' | 'remove' | 'move' | 'connect'; who: Person; id: string; to: string; value: number }
  | { do: 'undo' | 'redo' | 'hear' | 'arrive' | 'answer' | 'lose'; who: Person }

/** Few things and much mail, so that people get in each other's way. */
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
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('arrive', 'answer', 'hear'), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('undo', 'redo', 'lose'), who }) },
)

test('two people who do anything, on a network that delays and loses answers, end with what the server has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 150, size: 'max' }), async (steps) => {
      const server = pretendServer()
      server.send(writeOf({ create: { blocks: [blockOf('a'), blockOf('b')] } }), 'the beginning')
      const people = [makePerson(server), makePerson(server)] as const
      for (const one of steps) {
        act(people[one.who], one)
        await turn()
      }
      // The network holds from here on.
      for (let quiet = 0; quiet < 3; quiet++) {
        for (const one of people) quiet = (await one.calm()) ? quiet : 0
      }
      for (const { store, hear } of people) {
        hear()
        expect(shown(store)).toEqual(shownBy(server))
      }
    }),
    { numRuns: 200 },
  )
})

function makePerson(server: ReturnType<typeof pretendServer>) {
  /** Letters on their way, one at a time: not yet there, or done and the answer on its way back. */
  let letter: { arrive: () => void; answer?: () => void; lose: () => void } | undefined
  const store = createCanvasStore({
    projectId: 'p',
    canvas: server.canvas(),
    read: async () => server.canvas(),
    send: (write, key) =>
      new Promise((resolve, reject) => {
        const mine: NonNullable<typeof letter> = {
          arrive: () => {
            try {
              const answer = server.send(write, key)
              mine.answer ??= () => resolve(answer)
            } catch (error) {
              mine.answer ??= () => reject(error)
            }
          },
          lose: () => reject(new ApiFailure(0, { message: 'The server cannot be reached' })),
        }
        letter = mine
      }),
    tell: () => {},
    wait: () => Promise.resolve(),
  })
  const end = (how: 'answer' | 'lose') => {
    const ending = letter?.[how]
    if (ending) letter = undefined
    ending?.()
  }
  return {
    store,
    hear: () => store.hear(server.changes.slice(store.seq())),
    arrive: () => letter?.arrive(),
    answer: () => end('answer'),
    lose: () => end('lose'),
    /** Whether there was nothing left to do. */
    async calm() {
      const had = letter !== undefined
      letter?.arrive()
      end('answer')
      await turn()
      return !had && !letter && store.saving.get() === 'saved'
    },
  }
}

function act(person: ReturnType<typeof makePerson>, one: Step) {
  const { store } = person
  switch (one.do) {
    case 'make':
      return store.change({ create: { blocks: [blockOf(one.id, { x: one.value })] } })
    case 'remove':
      return store.change({ delete: { blocks: [one.id] } })
    case 'move':
      return store.change({ update: { blocks: [{ id: one.id, x: one.value }] } })
    case 'connect': {
      const edge = { id: `${one.id}-${one.to}`, fromBlockId: one.id, toBlockId: one.to, label: null }
      return one.id !== one.to && store.change({ create: { edges: [edge] } })
    }
    case 'undo':
      return store.undo()
    case 'redo':
      return store.redo()
    default:
      return person[one.do]()
  }
}

/** Whatever is to happen at once has happened. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id)
const placeOf = ({ id, x }: { id: string; x: number }) => ({ id, x })

const shown = ({ items }: CanvasStore) => ({
  blocks: [...items.blocks.values()].map(placeOf).sort(byId),
  edges: [...items.edges.values()].sort(byId),
})
function shownBy(server: ReturnType<typeof pretendServer>) {
  const { items, edges } = server.canvas()
  return { blocks: items.map(placeOf).sort(byId), edges: edges.sort(byId) }
}
