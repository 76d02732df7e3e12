declare module 'virtual:routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:telephony-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:comment-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:mcp-server-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:file-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:payment-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:skill-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:project-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:schedule-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:organization-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:connection-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:webhook-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}
