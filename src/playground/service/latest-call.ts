// Calls of which only the last one matters: one is under way at a time, and of those that come meanwhile only the latest is made.

export function latestCall<Request, Result>(
  make: (request: Request) => Promise<Result>,
  take: (request: Request, result: Result) => void,
): (request: Request) => void {
  let busy = false
  let next: { request: Request } | null = null
  const run = async (request: Request): Promise<void> => {
    busy = true
    try {
      take(request, await make(request))
    } finally {
      busy = false
      const waiting = next
      next = null
      if (waiting !== null) void run(waiting.request)
    }
  }
  return (request) => {
    if (busy) next = { request }
    else void run(request)
  }
}
