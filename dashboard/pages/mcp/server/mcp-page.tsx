import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type ClientSetup,
  clientSetups,
  isPublicUrl,
  type SetupStep,
} from '../../../../contract/mcp/client-setups.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { mcpCallsQuery, type ToolCalls } from './mcp-queries.ts'

export function McpPage() {
  const calls = useQuery(mcpCallsQuery)
  const { data } = calls
  return (
    <Page
      title="Connected apps"
      action={
        <Link to="/settings/api-keys/new" search={{ use: 'mcp' }} className={buttonClass('primary')}>
          New API key for MCP
        </Link>
      }
    >
      {calls.isPending && <SkeletonRows />}
      {calls.error && !data && <Failure error={calls.error} onRetry={() => calls.refetch()} />}
      {data && (
        <>
          <Section
            title="Your apps"
            lead="Apps that act for you in this organization. They’re disconnected when you leave it or change your password."
          >
            <ConnectedApps />
          </Section>
          <Section
            title="MCP server"
            lead="Use Atrium from apps such as Claude, ChatGPT, Cursor and VS Code, over the Model Context Protocol."
          >
            <Code what="MCP server URL">{data.url}</Code>
            <Reachability url={data.url} />
          </Section>
          <Section
            title="Connect an app"
            lead="Sign in with the browser, or create an API key for apps that can’t open one."
          >
            <ClientSetups url={data.url} />
          </Section>
          <Section title="Calls" lead="Members’ tool calls in the last 24 hours.">
            <ToolCallList calls={data.items} />
          </Section>
        </>
      )}
    </Page>
  )
}

function Reachability({ url }: { url: string }) {
  return (
    <p className="text-13 text-neutral-11">
      {isPublicUrl(url)
        ? t`This URL is public and uses https, so all apps can connect. Claude and ChatGPT connect from their vendors’ networks.`
        : t`This isn’t a public https URL. Claude Code, Cursor, VS Code and Codex can connect from computers that reach it. Claude (web and mobile) and ChatGPT need a public https URL, which the operator sets with ATRIUM_PUBLIC_URL.`}
    </p>
  )
}

const METHODS = [
  { value: 'signIn', label: t`Sign in with the browser` },
  { value: 'key', label: t`API key` },
] as const

function ClientSetups({ url }: { url: string }) {
  const setups = clientSetups(url)
  const [id, setId] = useState<ClientSetup['id']>('claude-code')
  const [method, setMethod] = useState<'signIn' | 'key'>('signIn')
  const setup = setups.find((candidate) => candidate.id === id)!
  const { label, link, obstacle } = setup
  const steps = setup[method]
  return (
    <>
      <Segments
        label="App"
        value={id}
        options={setups.map((candidate) => ({ value: candidate.id, label: candidate.label }))}
        onChoose={setId}
      />
      <Segments label="Authentication" value={method} options={METHODS} onChoose={setMethod} />
      {obstacle && method === 'signIn' && (
        <p className="rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text">
          {obstacle}
        </p>
      )}
      {link && method === 'signIn' && (
        <a href={link} className={`${buttonClass('primary')} self-start`}>
          Add to {label}
        </a>
      )}
      {steps ? <Steps steps={steps} label={label} /> : <NoKey label={label} />}
    </>
  )
}

function Steps({ steps, label }: { steps: SetupStep[]; label: string }) {
  return (
    <ol className="flex flex-col gap-12" aria-label={t`${label} setup`}>
      {steps.map(({ text, code }) => (
        <li key={text} className="flex min-w-0 flex-col gap-8 text-13">
          {text}
          {code && (
            <Code command what={t`${label} setup`}>
              {code}
            </Code>
          )}
        </li>
      ))}
    </ol>
  )
}

function NoKey({ label }: { label: string }) {
  return <p className="text-13 text-neutral-11">{label} doesn’t accept API keys. Sign in with the browser.</p>
}

function ToolCallList({ calls }: { calls: ToolCalls[] }) {
  if (calls.length === 0)
    return <p className="text-13 text-neutral-11">No tool calls in the last 24 hours.</p>
  return (
    <Table
      label="Calls by tool"
      columns={COLUMNS}
      rows={calls}
      rowKey={({ tool }) => tool}
      version={(row) => `${row.calls} ${row.failed} ${row.lastAt}`}
    />
  )
}

const COLUMNS: Column<ToolCalls>[] = [
  { header: t`Tool`, wide: true, cell: ({ tool }) => <code className="font-mono text-12">{tool}</code> },
  { header: t`Calls`, right: true, cell: ({ calls }) => calls.toLocaleString(LOCALE) },
  { header: t`Failed`, right: true, cell: ({ failed }) => failed.toLocaleString(LOCALE) },
  timeColumn(t`Last call`, ({ lastAt }) => lastAt, { visibleFrom: 'medium' }),
]
