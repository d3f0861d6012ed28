-- What people note about flags and projects, and what decides nothing.

-- Links of a flag: a JSON list of id, address and title.
alter table flags add column links text not null default '[]';

-- That a flag has done what it was made for: a JSON list of whether it is kept, what stays, and when that was said.
alter table flags add column completed text;

-- The favourites of a user: a JSON list of a list of projects and a list of flags.
alter table users add column favorites text not null default '[[],[]]';
