-- The part of Supabase Auth's tables that the service reads (funding.account_of), for databases without Supabase Auth:
-- names and types are Supabase's. On a Supabase database this is never run.
create schema if not exists auth;

create table if not exists auth.users (
  id uuid primary key default gen_random_uuid(),
  email varchar(255),
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  banned_until timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index if not exists users_email on auth.users (email);

create table if not exists auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  not_after timestamptz
);
create index if not exists sessions_user on auth.sessions (user_id);

-- The rest is the embedded sign-in's own (local/auth). Tokens are stored as SHA-256, in lower-case hexadecimal.
create table if not exists auth.sign_in_links (
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- A refresh token is used once; each use gives the next one of its session.
create table if not exists auth.session_tokens (
  token_hash text primary key,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index if not exists session_tokens_session on auth.session_tokens (session_id);
