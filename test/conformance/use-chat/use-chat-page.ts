import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** A program that talks to a session with `useChat`, as `docs/agents/agents.md` describes. The test bundles and serves it. */
const sessionId = new URLSearchParams(location.search).get('session')
const session = await (await fetch(`/api/v1/sessions/${sessionId}`)).json()

const textOf = ({ parts }: UIMessage) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

function Program() {
  const [typed, setTyped] = useState('')
  const { messages, sendMessage, status } = useChat({
    resume: session.activeRunId !== null,
    transport: new DefaultChatTransport({
      api: `/api/v1/sessions/${sessionId}/messages?format=ui`,
      prepareSendMessagesRequest: ({ messages: all }) => ({ body: { content: textOf(all.at(-1)!) } }),
      prepareReconnectToStreamRequest: () => ({
        api: `/api/v1/runs/${session.activeRunId}/stream?format=ui`,
      }),
    }),
  })
  return h(
    'main',
    null,
    messages.map((message) =>
      h('article', { key: message.id, 'aria-label': message.role }, message.parts.map(showPart)),
    ),
    h('output', null, status),
    h('textarea', {
      value: typed,
      onChange: (event) => setTyped((event.target as HTMLTextAreaElement).value),
    }),
    h('button', { type: 'button', onClick: () => void sendMessage({ text: typed }) }, 'Send'),
  )
}

function showPart(part: UIMessage['parts'][number], index: number) {
  if (part.type === 'text') return h('p', { key: index }, part.text)
  if (part.type !== 'dynamic-tool') return null
  const { toolName, state, approval } = part
  const approve = () =>
    fetch(`/api/v1/approvals/${approval?.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'approve' }),
    })
  return h(
    'div',
    { key: index },
    h('code', null, `${toolName}: ${state}`),
    state === 'approval-requested' && h('button', { type: 'button', onClick: approve }, 'Approve'),
  )
}

createRoot(document.body.appendChild(document.createElement('div'))).render(h(Program))
