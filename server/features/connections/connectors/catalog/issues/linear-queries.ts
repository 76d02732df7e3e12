import type { TemplateValue } from '../../definition/request-template.ts'

/** The GraphQL documents of Linear. A test compares their fields with the types of `@linear/sdk`. */
const ISSUE = `id identifier title url priorityLabel createdAt updatedAt state { id name type } assignee { id name } team { id key }`

export const LINEAR = {
  viewer: `query { viewer { id name email avatarUrl } }`,
  searchIssues: `query($term: String!, $first: Int, $after: String, $teamId: String) {
  searchIssues(term: $term, first: $first, after: $after, teamId: $teamId) {
    nodes { ${ISSUE} }
    pageInfo { hasNextPage endCursor }
  }
}`,
  issue: `query($id: String!) {
  issue(id: $id) {
    ${ISSUE} description dueDate
    labels { nodes { name } }
    comments(first: 50) { nodes { id body createdAt user { name } } }
  }
}`,
  issueCreate: `mutation($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { id identifier title url } }
}`,
  issueUpdate: `mutation($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success issue { id identifier title url state { name } } }
}`,
  commentCreate: `mutation($input: CommentCreateInput!) {
  commentCreate(input: $input) { success comment { id url } }
}`,
  teams: `query($first: Int, $after: String) {
  teams(first: $first, after: $after) {
    nodes { id key name states { nodes { id name type } } members(first: 50) { nodes { id name } } }
    pageInfo { hasNextPage endCursor }
  }
}`,
  webhooks: `query { webhooks(first: 250) { nodes { id url } } }`,
  webhookCreate: `mutation($input: WebhookCreateInput!) {
  webhookCreate(input: $input) { success webhook { id } }
}`,
  webhookUpdate: `mutation($id: String!, $input: WebhookUpdateInput!) {
  webhookUpdate(id: $id, input: $input) { success }
}`,
  webhookDelete: `mutation($id: String!) { webhookDelete(id: $id) { success } }`,
} as const

export const graphql = (query: string, variables: Record<string, TemplateValue> = {}) =>
  ({ method: 'POST', path: '/graphql', graphql: { query, variables } }) as const
