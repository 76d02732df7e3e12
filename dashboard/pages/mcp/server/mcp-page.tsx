import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isPublicUrl } from '../../../../contract/mcp/client-setups.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { ClientSetups } from './client-setups.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { mcpCallsQuery } from './mcp-queries.ts'
import { ToolCallList } from './tool-call-list.tsx'

/** How to use Atrium from other programs over the Model Context Protocol. */
export function McpPage() {
  const calls = useQuery(mcpCallsQuery)
  const { data } = calls
  return (
    <Page
      title="MCP"
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
            title="MCP server"
            lead="Programs such as Claude, ChatGPT, Cursor and VS Code use Atrium over the Model Context Protocol."
          >
            <Code what="URL of the MCP server">{data.url}</Code>
            <Reachability url={data.url} />
          </Section>
          <Section
            title="Connect a program"
            lead="Sign in with the browser, or create an API key for programs that cannot open one."
          >
            <ClientSetups url={data.url} />
          </Section>
          <Section
            title="Connected apps"
            lead="Apps that act for you in this organization. They are disconnected when you leave it or change your password."
          >
            <ConnectedApps />
          </Section>
          <Section title="Calls" lead="Tool calls by members of this organization in the last 24 hours.">
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
        ? 'This URL is public and uses https, so all programs can connect. Claude and ChatGPT connect from the networks of their vendors.'
        : 'This URL is not a public https URL. Claude Code, Cursor, VS Code and Codex connect from computers that reach it. Claude (web and mobile) and ChatGPT connect from the internet and need a public https URL: the operator sets it with ATRIUM_PUBLIC_URL.'}
    </p>
  )
}
