import { z } from 'zod'
import { type ConnectorDefinition, id, limit, tool } from '../../definition/definition.ts'
import { from } from '../../definition/template.ts'
import { GRAPH, microsoftAuth, TENANT } from '../microsoft.ts'

export const sharepoint: ConnectorDefinition = {
  slug: 'sharepoint',
  name: 'SharePoint',
  description: 'Find files in SharePoint and OneDrive, and sync their folders.',
  category: 'knowledge',
  docsUrl: 'https://learn.microsoft.com/en-us/graph/api/resources/driveitem',
  checkedAt: '2026-11-19',
  config: [TENANT],
  auth: microsoftAuth(['User.Read', 'Files.Read.All', 'Sites.Read.All']),
  ...GRAPH,
  tools: [
    tool({
      name: 'search',
      description: 'Use this to find files by words in their names and contents.',
      input: z.object({ query: z.string().min(1).max(500), limit: limit(100) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'POST',
        path: '/search/query',
        json: {
          requests: [
            {
              entityTypes: ['driveItem'],
              query: { queryString: from('query') },
              from: 0,
              size: from('limit'),
            },
          ],
        },
      },
      answer: {
        at: 'value.0.hitsContainers.0.hits',
        pick: [
          'summary',
          'resource.id',
          'resource.name',
          'resource.webUrl',
          'resource.parentReference.driveId',
        ],
      },
    }),
    tool({
      name: 'list_folder',
      description: 'Use this to list the files and folders in a folder.',
      input: z.object({
        driveId: id('The library, as search returns it'),
        folderId: id('The folder; `root` for the library’s top'),
        limit: limit(200, 50),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/drives/{driveId}/items/{folderId}/children',
        query: { $top: from('limit'), $select: 'id,name,size,webUrl,lastModifiedDateTime,file,folder' },
      },
      answer: { at: 'value' },
    }),
  ],
}
