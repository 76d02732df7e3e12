import { useMutation } from '@tanstack/react-query'
import { MCP_AUTHS, MCP_STATES } from '../../../../contract/agents/mcp-server-options.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { cacheMcpServer, type McpServerDetails, mcpServerApi } from '../../../api/mcp-servers.ts'
import { Button } from '../../../components/button.tsx'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { ServerStatus } from './server-states.tsx'

export function Connection({ server }: { server: McpServerDetails }) {
  const { url, state, problem, failingSince, checkedAt, latencyMs, implementation } = server
  return (
    <Section title="Server connection" lead={MCP_STATES[state].description}>
      <Rows label="Server connection">
        <Row
          title={<span className="wrap-anywhere font-mono">{url}</span>}
          note={
            implementation &&
            [
              [implementation.name, implementation.version].filter(Boolean).join(' '),
              t`protocol ${implementation.protocol}`,
              implementation.leftOut > 0 && skippedTools(implementation.leftOut),
            ]
              .filter(Boolean)
              .join(' · ')
          }
        >
          <ServerStatus state={state} />
        </Row>
        {problem && (
          <Row
            title={<span className="wrap-anywhere text-bad-text">{problem}</span>}
            note={
              failingSince && (
                <>
                  First failure <Time at={failingSince} />
                </>
              )
            }
          />
        )}
        <Row
          title="Last connection"
          note={
            checkedAt ? (
              <>
                <Time at={checkedAt} />
                {!problem && latencyMs !== null && ` · ${latencyMs.toLocaleString(LOCALE)} ms`}
              </>
            ) : (
              t`None yet`
            )
          }
        />
        <CredentialRow server={server} />
      </Rows>
    </Section>
  )
}

function CredentialRow({ server }: { server: McpServerDetails }) {
  const { id, auth, headerName, lastFour, issuer, signedInAt } = server
  const onError = (error: unknown) => toast(failureMessage(error) ?? t`Sign-in failed`)
  const signIn = useMutation({
    mutationFn: () => mcpServerApi.mcpServers.signIn({ id }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError,
  })
  const signOut = useMutation({
    mutationFn: () => mcpServerApi.mcpServers.signOut({ id }),
    onSuccess: cacheMcpServer,
    onError,
  })
  const notes = {
    none: MCP_AUTHS.none.description,
    header: `${headerName}${lastFour ? t` · ends with ${lastFour}` : ''}`,
    oauth: signedInAt ? (
      <>
        Signed in <Time at={signedInAt} />
        {issuer && t` at ${issuer}`}
      </>
    ) : (
      t`No admin signed in`
    ),
  }
  return (
    <Row title={t`Authentication: ${MCP_AUTHS[auth].label}`} note={notes[auth]}>
      {auth === 'oauth' && (
        <>
          {signedInAt && (
            <Button look="quiet" busy={signOut.isPending} onClick={() => signOut.mutate()}>
              Sign out
            </Button>
          )}
          <Button
            look={signedInAt ? 'plain' : 'primary'}
            busy={signIn.isPending || signIn.isSuccess}
            onClick={() => signIn.mutate()}
          >
            {signedInAt ? t`Sign in again` : t`Sign in`}
          </Button>
        </>
      )}
    </Row>
  )
}

const skippedTools = (count: number) => (count === 1 ? t`1 tool skipped` : t`${count} tools skipped`)
