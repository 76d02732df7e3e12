// Answers each connection that it is given with its process id. `block` keeps it from taking any.
process.on('message', ({ type, connection }, socket) => {
  if (type === 'connection') {
    process.send({ type: 'accepted', connection })
    socket?.end(String(process.pid))
  } else if (type === 'block') for (;;);
})
process.on('disconnect', () => process.exit())
process.send({ type: 'ready' })
