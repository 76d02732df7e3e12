import type { Scope } from '../../contract/accounts/scopes.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { bearer, type TestApp } from '../../server/testing/test-app.ts'

/** One line of a script: a call of a tool. */
export const call = (tool: string, input: object = {}) => `call ${tool} ${JSON.stringify(input)}`

const script = (steps: string[]) => `Please\n\`\`\`script\n${steps.join('\n---\n')}\n\`\`\``

/** An organization with an agent that follows every instruction: its model plays the script of the message. */
export async function createScriptedAgent(app: TestApp) {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const browser = await app.withSession(owner)
  const project = await app.project(owner)
  const agent = await browser.agents.create({ name: 'Obedient', model: 'test/script', tools: { web: true } })

  type Client = typeof browser
  const runHandle = (client: Client, sessionId: string, id: string) => {
    const read = () => client.agentRuns.get({ id })
    return {
      id,
      sessionId,
      read,
      /** Resolves when the run is neither running nor queued. */
      async waitUntilSettled() {
        for (;;) {
          const run = await read()
          if (run.status !== 'queued' && run.status !== 'running') return run
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      },
      calls: async () => (await client.agentRuns.steps({ id })).items.flatMap(({ calls }) => calls),
      approvals: async () => (await browser.approvals.list({ runId: id })).items,
    }
  }

  return {
    org,
    owner,
    browser,
    project,
    agent,
    /** Starts a session whose model makes these calls, one step after the other. */
    async ask(steps: string[], { client = browser, agentId = agent.id } = {}) {
      const message = { content: script(steps) }
      const session = await client.sessions.create({ projectId: project.id, agentId, message })
      return runHandle(client, session.id, session.run!.id)
    },
    /** Sends the next message of a session. */
    async askAgain(sessionId: string, steps: string[]) {
      const { run } = await browser.sessions.send({ id: sessionId, content: script(steps) })
      return runHandle(browser, sessionId, run.id)
    },
    /** A client with a key, and the id of the key. */
    async withKey(person: Person, scopes?: Scope[], options?: { readOnly: boolean }) {
      const key = await app.key(person, scopes, options)
      return { keyId: key.id, client: app.as(bearer(key)) }
    },
  }
}

export type ScriptedAgent = Awaited<ReturnType<typeof createScriptedAgent>>
