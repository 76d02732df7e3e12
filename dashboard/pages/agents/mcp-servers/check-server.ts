import { useMutation } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { cacheMcpServer, type McpServer, mcpServerApi } from '../../../api/mcp-servers.ts'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'

/** Connects to the server again and says what came of it. */
export const useCheck = ({ id, name }: Pick<McpServer, 'id' | 'name'>) =>
  useMutation({
    mutationFn: () => mcpServerApi.mcpServers.check({ id }),
    onSuccess: async ({ problem, latencyMs, server }) => {
      await cacheMcpServer(server)
      toast(problem ? withNames`${name}: ${problem}` : withNames`${name} responded in ${latencyMs} ms`)
    },
    onError: (failure) => toast(failureMessage(failure) ?? t`Check failed`),
  })
